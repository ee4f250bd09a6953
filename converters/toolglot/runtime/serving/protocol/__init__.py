"""The Model Context Protocol: the tools that a principal sees, listed and called.

principal_server  one server a principal, with the low-level API of the SDK
transports     over the streams of a process, or over HTTP
runners        what a call does: nothing, or what a person allowed
"""

FORMAT = "mcp"
TRANSPORTS = ("stdio", "http")
PATH = "/mcp"  # over HTTP
