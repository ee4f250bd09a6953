"""The Model Context Protocol: tools as servers list them, and calls as clients send them."""
