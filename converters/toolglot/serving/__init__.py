"""Tools for whoever asks over a network: the catalogue of RFC 0078 over HTTP, and a log of what was called.

principals    who may ask, and which tools each may see
rates         how often each may ask
reloading     what is loaded from files, and loaded anew when they change
polling       looking at files again and again, while a server answers
session_log   what was called, event by event, without what was asked or answered
web_server    the socket, and the web server behind it
client_connections  how long a connection may keep its place
protocol/     the tools as a server of the Model Context Protocol
catalog/      the catalogue: descriptors, what a principal sees of them, and the answers to requests

A request sees one version of everything: a new one takes the place of the old one as a whole, and only when all of it
could be read.
"""
