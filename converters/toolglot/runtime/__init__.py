"""What runs: programs, servers and functions, between a model and a tool.

inventory/  what a machine knows about its programs
programs/   programs that somebody named: asked and started, within bounds
agent/      a program describes itself
functions/  Python functions as tools
servers/    servers of the Model Context Protocol: asked and pinned
bridge/     tools offered to a model, and its calls answered
adapters/   tools as objects of agent frameworks, and back
serving/    tools for whoever asks over a network
editor/     what an editor asks while somebody types
"""
