"""The catalogue of RFC 0078 over HTTP: it is read, and nothing is called through it.

descriptors      the tools, each as the bytes that are sent: whole, and in the compact view
compact_view     few fields of a descriptor, as RFC 0112 has it
visible_tools    what one principal sees of them: the list, one tool, a page
routes           which address and method asks for what

Source: RFC 0078 sections B and F (the list, one tool, 401, 404), RFC 0073 (discovery), RFC 0112 (the compact view).
"""
