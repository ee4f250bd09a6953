"""oclif: the manifest in which a program made with it lists its commands."""
