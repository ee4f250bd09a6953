"""A call as an HTTP request, of tools that stand for operations of an API: `request.request`.

request         what is sent, of an address, headers and a body
addresses       the server, the path and the query
headers         headers and cookies
bodies          JSON, forms and bytes
written_values  one value, as a style or a media type writes it
"""
