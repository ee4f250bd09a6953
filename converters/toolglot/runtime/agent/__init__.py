"""A program describes itself: what stands behind `toolglot.agent`.

A program imports `flag` and `decorators` each time it starts, so these two import no framework and no library.

flag               the one line that gives a program of click, typer or argparse its `--agent`
requests           finds `--agent` among the words of a command line, and reads what stands behind it
answers            what `--agent` prints
descriptions       the description of a program: the whole, or the part that is asked for
decorators         what people state above a command
    decorator_types   the types of these statements, as an editor completes them
click_commands     the commands of click and typer as tools
argparse_parsers   the parsers of argparse as tools
    parsed_commands     one command, as any of the three frameworks parses it
    parsed_parameters   its parameters: types, defaults, texts
named_programs     a program that somebody names: its module is imported, and no command runs
"""
