"""Tools for whoever asks over a network: the catalogue of RFC 0078 over HTTP, and a log of what was called.

principals    the tokens of whoever may ask, and which tools each may see
admission     who is let in: whose token a request brings, and whether it comes too often
responses     responses as bytes, and how long they may be kept
reloading     what is loaded from files, and loaded anew when they change
session_log   what was called, event by event, without what was asked or answered
web_server    the socket, the web server behind it, and how long a connection may keep its place
protocol/     the tools as a server of the Model Context Protocol
catalog/      the catalogue: descriptors, what a principal sees of them, and the addresses of both

A request sees one version of everything: a new one takes the place of the old one as a whole, and only when all of it
could be read.
"""
