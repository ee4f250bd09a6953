"""Gemini: function declarations with the dialect of OpenAPI in them, and calls as its models send them."""
