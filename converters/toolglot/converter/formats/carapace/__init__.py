"""carapace-spec: what a shell completes after the name of a program."""
