"""What becomes of every exception, and of a stop from outside: one place, so that no command has a rule of its own."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import IO, Any

import click

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_message
from toolglot.errors import Error, LossError, describe_internal_error, system_reason
from toolglot.signals import ENDING


class ClosedPipe(Exception):
    """Whoever read our output has stopped. click would take a `BrokenPipeError` for itself, and exit with 1."""


class Terminated(BaseException):
    """The system asks the program to end; `args` has the number of the signal."""


def end_cleanly() -> None:
    """Make what `kill` sends an exception, so that temporaries and workers go; a second one changes nothing."""
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # `nohup` has it ignored
            signal.signal(number, _terminate)


def _terminate(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise Terminated(number)


_SIGNAL = 128  # and its number: as a shell shows a program that a signal ended
_INTERRUPTED = _SIGNAL + 2
_BROKEN_PIPE = _SIGNAL + 13


def _open_null_stream(flags: int, mode: str) -> IO[str]:
    """A stream in the place of a closed one; it stays open, as the interpreter flushes its streams at the very end."""
    return open(os.open(os.devnull, flags), mode, encoding="utf-8")


# The streams that a shell may have closed. What is written to stdout is refused: a result would be lost unnoticed.
_CLOSED_STREAMS = (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))


def exit_code_of(run: Callable[[], object]) -> int:
    """The exit code of `run`, whatever it raises."""
    for name, flags, mode in _CLOSED_STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, _open_null_stream(flags, mode))
    try:
        try:
            code = run()
            sys.stdout.flush()
        except SystemExit as error:  # click ends so after shell completion
            code = error.code
        except BaseExceptionGroup as group:
            raise _stop_in(group) or group from None
        return code if isinstance(code, int) else Exit.DONE
    except click.ClickException as error:
        error.show()
        return Exit.FAILED
    except (click.Abort, KeyboardInterrupt):
        _remove_unfinished()
        return _INTERRUPTED
    except Terminated as error:
        _remove_unfinished()
        return _SIGNAL + int(error.args[0])
    except (ClosedPipe, BrokenPipeError):
        _close_stdout()
        return _BROKEN_PIPE
    except Error as error:
        print_message(f"error: {error}")
        return Exit.NO if isinstance(error, LossError) else Exit.FAILED
    except OSError as error:
        print_message(f"error: the result could not be written: {system_reason(error)}")
        _close_stdout()
        return Exit.FAILED
    except Exception as error:
        advice = "please report it with the input (TOOLGLOT_DEBUG=1 shows where it happened)"
        print_message(f"{describe_internal_error(error)}; {advice}")
        return Exit.FAILED


def _stop_in(group: BaseExceptionGroup[Any]) -> BaseException | None:
    """The signal that came while tasks ran; `None` where these failed by themselves."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            error = _stop_in(error)
        if isinstance(error, KeyboardInterrupt | Terminated):
            return error
    return None


def _remove_unfinished() -> None:
    from toolglot.converter.files import commit, temporaries  # only who is stopped needs them

    commit.undo_unfinished()
    temporaries.remove_unfinished()


def _close_stdout() -> None:
    """Keep the interpreter from complaining, at its end, that it cannot flush."""
    try:
        handle = os.open(os.devnull, os.O_WRONLY)
        os.dup2(handle, sys.stdout.fileno())
        os.close(handle)
    except (OSError, ValueError):
        pass
