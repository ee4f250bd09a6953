"""The signals that ask a process to end, as far as a system has them; Ctrl-C is one of its own."""

from __future__ import annotations

import signal

ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)]
"""From `kill`, a terminal that is closed, and Ctrl-Break or the end of a console on Windows."""
