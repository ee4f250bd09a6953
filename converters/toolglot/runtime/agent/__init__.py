"""A program describes itself: what stands behind `toolglot.agent`.

Every program that uses it imports it each time it starts, so it imports nothing: no framework, no library.

flag               `--agent` in a program of click, typer or argparse: the one line that gives it
requests           what stands behind `--agent`, and whether the word is ours
answers            what `--agent` prints
descriptions       the description of a program, whole or the part that is asked for
decorators         what people state above a command
    decorator_types   the words for it, as an editor completes them
click_commands     the commands of click and typer as tools
argparse_parsers   the parsers of argparse as tools
    parsed_commands     what a parser of either knows of one command
    parsed_parameters   what it knows of parameters: types, defaults
named_programs     a program that somebody names: its module is imported, and no command runs
"""
