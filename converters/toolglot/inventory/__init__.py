"""What a machine knows about its programs, from files alone: nothing runs, and nothing is fetched.

`fingerprints` says which file a program is, `store` keeps our own state, `directories` says where the files of others
lie, and `machine.discover` puts together what they say.
"""
