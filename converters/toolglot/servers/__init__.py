"""Servers of the Model Context Protocol: `pull.pull` asks them for their tools.

server_entries    a server that somebody named: a program to start, or an address
configurations    the servers of a configuration file; reading it starts nothing
variables         what a configuration leaves to the environment, filled in when a server is started
pipes             a server that is a program: its two streams, bounded, and its end
web               a server behind a URL: what is sent, what is refused
authorization     a server that lets nobody in: what it asks for, and who gives that
exchange, bounds  what both of these give and count
connection        one conversation: which protocol, every page of tools, calls
server_document   what a server offers, and where it comes from, as a document
pull              `pull`: several servers, with the consent of whoever names them
calling           calls that such a server carries out, as long as it offers what was pinned
lock_file         what was pinned
lock_comparison   what differs from it now
consent           which configurations somebody has agreed to

Nothing here imports the protocol's library before a server is asked: that alone takes half a second.
"""
