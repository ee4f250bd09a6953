"""Servers of the Model Context Protocol: `pull.pull` asks them for their tools.

named_servers     a server that somebody named: a program to start, or an address
visible_commands  its command line as it is shown, without secrets
client_configurations   the servers of a client's configuration file; reading it starts nothing
variables         what a configuration leaves to the environment, filled in when a server is started
consent           which configurations somebody has agreed to
pull              `pull`: several servers, with the consent of whoever names them
pulled_document   what a server offers, and where it comes from, as a document
pinning           what was pinned, as a file; `pin` writes it after servers were asked
same_servers      which of a lock an asked server is
lock_comparison   what differs from it now
server_calls      calls that such a server carries out, as long as it offers what was pinned
connection        a conversation, begun and ended
    conversation      which protocol, the requests and how long they may take, all pages of tools, notifications
    stdio_transport   with a server that is a program: its two streams, and its end
        process_groups    which is that of all that it started
    http_transport    with a server behind a URL: what is sent, and what is refused
        authorization     why it lets nobody in, and who gives tokens
    bounds            how much of a server is borne
    server_faults     what went wrong, in our words

Nothing here imports the protocol's library before a server is asked: that alone takes half a second.
"""
