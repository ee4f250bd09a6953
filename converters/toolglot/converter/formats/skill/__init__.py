"""SKILL.md of the Agent Skills specification."""
