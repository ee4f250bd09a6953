"""OpenCLI: what a command line takes, as JSON or YAML."""
