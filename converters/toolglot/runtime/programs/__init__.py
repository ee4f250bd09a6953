"""Programs that somebody named: `ask.ask` has one describe itself, and it runs within bounds.

ownership     who can change what a path leads to, and whether a file may be run
resolution    from what was named to one file that may be run, and the hash of it
allow_list    names of programs that somebody chose, each with its path and its hash
isolation     what a program is kept from: networks, files, other processes
environment   what a program finds around it: variables, and a folder of its own
processes     one process with bounds: time, files, and nothing of it left over
ask           `PROGRAM --agent`: a program describes itself
trusted_programs  which programs may run what which documents say, without being asked again
"""
