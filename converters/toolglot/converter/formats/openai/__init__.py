"""OpenAI: function definitions, and calls as its models send them."""
