"""Writing files that may be anybody's: safe names, whole files or none, folders that stay the same folder.

names          paths made of ids
existing_targets   what stands there before
writing        one file, whole or not at all
commit         several files at once: all of them or none
generated_folders  folders whose files are generated
shared_folders     folders that every machine can open
row_files      rows in a file: JSON Lines or Parquet
open_folders   folders that are held open, whatever their paths lead to by then, and locked
system         what Linux and Windows lock and hold open in their own ways
temporaries    new content until it is whole, with the mode and the owner of the file that goes
spill          items that may not fit in memory
state_files    files of our own state, changed by one run at a time
"""
