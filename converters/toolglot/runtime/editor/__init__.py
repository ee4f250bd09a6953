"""What an editor asks: `server.EditorServer` answers over the Language Server Protocol; nothing runs or is fetched.

server          what a client asks, and which texts are open
host            what the command that starts it gives it: how texts are checked, read and converted
positions       offsets in a text as the protocol counts them
entries         which entry a place in a text belongs to, and which one is begun there
described       what kind of thing an entry is: of which format, described by which schema
hover           what is told of a key
completion      the keys and words that may stand at a place
corrections     what leaves no doubt, and what a person can confirm
"""
