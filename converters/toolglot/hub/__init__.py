"""The records that every format is read into and written from: see `model.Tool`, and `docs/hub.md` for its fields."""
