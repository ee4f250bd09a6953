"""The hub: the records that every format is read into and written from. `model.Tool` is the one to know."""
