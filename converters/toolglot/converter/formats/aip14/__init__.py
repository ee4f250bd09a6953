"""AIP-14 `TOOL.md` (agenttool/v1), and the files that stand around one: DRIVER, SECRETS, ACTION."""
