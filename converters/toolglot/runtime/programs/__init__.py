"""Programs that somebody named: `ask.ask` has one describe itself, and it runs within bounds.

ownership     who can change what a path leads to, and whether a file may be run
resolution    from the name or path of a program to one open file that may be run, and its hash
allow_list    names of programs that somebody chose, each with its path and its hash
isolation     what a program is kept from: networks, files, other processes
environment   the environment variables of a program that we start, and a folder of its own
processes     one process within bounds of time and output; nothing of it is left over
ask           `PROGRAM --agent`: a program describes itself
trusted_programs  pairs of a program and a document that a user trusts, so that nobody is asked again
"""
