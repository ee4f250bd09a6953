"""The records that every format is read into and written from: `model.Tool`, and `docs/reference/hub.md`.

model        `Tool`, and the records that it is made of
fields       the one table of the fields of a tool: kinds, and how each is treated
facets       the one table of the facets of danger
trees        trees of tools, cut and put together again; the parameters of two nodes as one
calls        calls as formats and the bridge share them
durations   how long a call takes, as descriptions write it
"""
