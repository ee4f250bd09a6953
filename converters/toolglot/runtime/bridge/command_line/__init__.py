"""A call as the argument vector of a command line: `argv.argv`.

argv                 the program, the words of the command, and in which order everything stands
command_parameters   what a description says of each parameter
given_arguments      the arguments of a call, held to that
line_syntax          how the words of a line are read
written_values       one value as a word
written_options      options as words
written_positionals  positional arguments as words
"""
