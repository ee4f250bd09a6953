"""Reports for people and for other programs: one list of entries, and a renderer for each form."""
