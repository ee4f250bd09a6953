"""What a host keeps of the calls that it answered: event by event, without what was asked or answered."""

from __future__ import annotations

from toolglot.runtime.serving.session_log import SessionLog

__all__ = ["SessionLog"]
