"""The catalogue of RFC 0078 over HTTP: it is read, and nothing is called through it.

descriptors    the tools, each as the bytes that are sent
compact_view   each in the few fields and plain schemas of RFC 0112
views          what one principal sees of them
responses      responses as bytes, and how long they may be kept
gate           who is let in
routes         from requests to responses

Source: RFC 0078 sections B and F (the list, one tool, 401, 404), RFC 0073 (discovery), RFC 0112 (the compact view).
"""
