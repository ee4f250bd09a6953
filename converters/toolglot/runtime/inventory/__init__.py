"""Inventory: `discovery.discover` says what a machine knows about its programs. Nothing runs, and nothing is fetched.

discovery                the whole way
machine_files            where the files lie, what they are, what they say, and which description of a program counts
    file_reader              files that anybody may have written, within bounds
    program_registries       registries of programs, of five shapes
    description_files        files that describe one program
    description_registries   registries of descriptions on other machines, and what their indexes list
    blocked_programs         which programs an organization blocks
    discovery_settings       what tools for agents are configured with
    workflows                workflows that they share
program_matching         which descriptions belong to which program: by its name, its path, and the hash of its file
    fingerprints             which file a program is
    dangers                  several descriptions of one program: one counts, and the others only add danger
    program_records          one record a program
inventory_document       all that was found, and its JSON
kept_answers             our own state: what programs answered, and which were known
"""
