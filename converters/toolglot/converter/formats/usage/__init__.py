"""usage: specifications of command lines in KDL, the only ones of other tools that state effects."""
