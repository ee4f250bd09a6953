"""Writing files that may be anybody's: safe names, whole files or none, folders that stay the same folder.

`names` makes paths of ids, `writing` writes one file, `replacement` several at once, `temporaries` holds new content
until it is whole, `open_folders` keeps folders open.
"""
