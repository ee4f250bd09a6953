"""Text and data: `serialization.load` reads JSON, JSON Lines, YAML and front matter, `serialization.dump` writes them.

Beside it stand the readers with their limits and positions, and what is looked for in prose: sentences, languages,
secrets.
"""
