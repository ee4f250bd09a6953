"""Serves tools over a network: the catalogue of RFC 0078 over HTTP, an MCP server, and a log of calls.

principals    the tokens of clients, and the tools that each may see
admission     lets requests in: by their token, and at a limited rate
responses     responses as bytes, with their caching
reloading     data from files, which are loaded again when the files change
session_log   calls, event by event, without arguments and results
web_server    the socket, the web server, and the time limits of connections
protocol/     the tools as a server of the Model Context Protocol
catalog/      the catalogue: descriptors, the views of principals, and the addresses of both

A request sees one version of everything. A new version replaces the old one as a whole, and only if all of it could be
read.
"""
