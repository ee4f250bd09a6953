"""Inventory: `discovery.discover` says what a machine knows about its programs. Nothing runs, and nothing is fetched.

discovery                `discover`: asks for all that follows
machine_files            where the files lie, what kind each is, and which description of a program counts
    file_reader              reads files that anybody may have written, within bounds
    program_registries       registries of programs, of five shapes
    description_files        files that describe one program
    description_registries   registries of descriptions on other machines, and what an index or catalogue lists
    blocked_programs         which programs an organization blocks
    discovery_settings       the settings of tools for agents
    workflows                the workflows that tools for agents share
program_matching         which descriptions belong to which program: by its name, its path, and the hash of its file
    fingerprints             which file a program is
    dangers                  several descriptions of one program: one counts, and the others only add danger
    program_records          the record of one program
inventory_document       the whole inventory, and its JSON
kept_answers             our own state: what programs answered, and which programs were known
"""
