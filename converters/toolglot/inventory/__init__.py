"""What a machine knows about its programs, from files alone: nothing runs, and nothing is fetched.

    shared_folders -> search (registries, descriptions, indexes, policies, ...) -> assembly -> program_records

`machine.discover` is the whole way. `fingerprints` says which file a program is, `store` keeps our own state, and
`dangers` puts several descriptions of one program together.
"""
