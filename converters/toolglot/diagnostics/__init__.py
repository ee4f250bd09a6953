"""What `check` finds in a document: `checks.check`."""
