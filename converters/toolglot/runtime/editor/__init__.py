"""What an editor asks: `server.make_server` answers over the Language Server Protocol; nothing runs or is fetched.

server          what a client asks, and which texts are open
host            what the command that starts it gives it: how texts are checked, read and converted
positions       offsets in a text as the protocol counts them
findings        what `check` finds, as squiggles
cursor          which entry a place in a text belongs to, also where the text is broken
described       what kind of document a text is
fields          what the canonical schemas say of an entry
hover           what is told of a key
completion      the keys and words that may stand at a place
corrections     what leaves no doubt, and what a person can confirm
"""
