"""AIP-14 `TOOL.md` (agenttool/v1), and the files around it: ACTION.md, DRIVER.md and SECRETS.md."""
