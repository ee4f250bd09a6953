"""Inventory: `machine.discover` says what a machine knows about its programs. Nothing runs, and nothing is fetched.

machine           the whole way
search            where the files lie, what they are, what they say, and which description of a program counts
    registries        registries of programs, of five shapes
    descriptions      files that describe one program
    indexes           indexes and catalogues of descriptions
    organization_policies   what an organization allows
    configuration     what tools for agents are configured with
    workflows         workflows that they share
    file_reader       files that anybody may have written, within bounds
assembly          one record a program
    fingerprints      which file a program is
    dangers           several descriptions of one program
    program_records   the records
store             our own state
    state_files       its files, changed by one run at a time
"""
