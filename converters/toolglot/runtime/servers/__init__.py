"""Servers of the Model Context Protocol: `pull.pull` asks them for their tools.

named_servers     a server that somebody named: a program to start, or an address
visible_commands  a server's command line as it is shown, without secrets
client_configurations   the servers of a client's configuration file; reading it starts nothing
variables         what a configuration leaves to the environment, filled in when a server is started
consent           the configurations that somebody has agreed to
pull              `pull`: several servers, with the consent of whoever names them
pulled_document   what a server offers, with its origin, as a document
pinning           the lock; `pin` writes it after servers were asked
same_servers      which server of a lock an asked server is
lock_comparison   the differences between a lock and what servers offer now
server_calls      calls that a server carries out, as long as it offers what was pinned
connection        begins and ends a conversation
    conversation      the protocol: version, requests with timeouts, all pages of tools, notifications
    stdio_transport   with a program: its two streams, and its end
        process_groups    ends a program together with everything that it started
    http_transport    with a server behind a URL: what is sent, and what is refused
        authorization     why a server refuses us, and who gives tokens for it
    bounds            limits for what a server may send
    server_faults     what went wrong, in our words

Nothing here imports the protocol's library before a server is asked: that alone takes half a second.
"""
