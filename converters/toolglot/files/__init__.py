"""Writing files that may be anybody's: safe names, whole files or none, folders that stay the same folder.

names          paths made of ids
existing_targets   what stands there before
writing        one file, whole or not at all
replacement    several files at once, as `migrate` and `check --fix` need it
transaction    many files that are as they were where the work fails, as for generated ones
generated      a folder of generated files
open_folders   folders that are held open, whatever their paths lead to by then
locks          other runs kept out
temporaries    new content until it is whole, with the mode and the owner of the file that goes
state_files    files of our own state, changed by one run at a time
"""
