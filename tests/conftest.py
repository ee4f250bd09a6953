"""Hypothesis profiles: the suite repeats the same examples everywhere, `make laws N=...` looks for new ones."""

from __future__ import annotations

import gc
import linecache
import os
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal import reflection
from hypothesis.internal.conjecture import providers

import docstrings
import systems

# A shell may forbid Python to keep what it compiles. Then each worker and every program that a test starts would
# compile the whole package again, which takes longer than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# `python3` in a document that a test runs is this Python: another one, which a version manager looks up first, may be
# too old, and takes longer to start than the test to run.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])

MEMORY = "/dev/shm"


def keeps_files(folder: str) -> bool:
    """Whether programs can be written to a folder and run there, and it has a gigabyte left."""
    if not os.access(folder, os.W_OK | os.X_OK) or not hasattr(os, "statvfs"):
        return False
    state = os.statvfs(folder)
    return not state.f_flag & os.ST_NOEXEC and state.f_bavail * state.f_frsize > 1 << 30


# The tests write 26,000 files, many of them with `fsync`: on a disk that takes a tenth of their time.
if keeps_files(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

for name, function in systems.MISSING.items():
    setattr(os, name, function)
for name, function in systems.TEXTS.items():
    setattr(Path, name, function)

_EXAMPLES = os.environ.get("TOOLGLOT_LAWS")
settings.register_profile(
    "toolglot",
    max_examples=int(_EXAMPLES or 5),
    derandomize=_EXAMPLES is None,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("toolglot")
# What a test says is the seed of its examples, and is tokenized anew for each of its rows.
reflection._clean_source = cache(reflection._clean_source)
if _EXAMPLES is None:  # constants of whatever is imported when a test runs would make other examples on each worker
    providers._get_local_constants = lambda: providers._local_constants


# Before each example in a docstring Python's debugger looks whether any source has changed: two seconds for all.
linecache.checkcache = lambda filename=None: None

gc.disable()  # what is imported and collected stays: looking through it again and again takes a third of the time


def pytest_sessionfinish() -> None:
    """One look for what nobody closed: pytest would look twice, and Python three times more on its way out."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """What a `conftest.py` says of files holds only of those beside it, and the package stands elsewhere."""
    config.pluginmanager.register(docstrings, "docstrings")


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end, so that no look for garbage has to pass through it.

    Most tests make many small objects and leave no circle: fewer looks take a tenth less of processor time in all.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)


# A shell that starts the suite in the background lets it ignore Ctrl-C, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what compares us with files of other people that are not here; samples of ours stand in for them."""
    of_posix = pytest.mark.skipif(os.name != "posix", reason="the example shows paths, or a program, of POSIX")
    for item in items:
        if item.name in systems.OF_POSIX:
            item.add_marker(of_posix)
        for mark in item.iter_markers("beside"):
            is_absent = not (SHARED / mark.args[0]).is_dir()
            reason = f"needs ../shared/{mark.args[0]}, files of other people; a sample of ours stands in for them"
            item.add_marker(pytest.mark.skipif(is_absent, reason=reason))
    items.sort(key=place_in_run)


def place_in_run(item: pytest.Item) -> int:
    """What imports the vendors' packages comes first, so that one worker does so and not each.

    Last comes what watches a process: no watch can be taken away, and it slows down all that follows by a twentieth.
    """
    if item.get_closest_marker("vendors"):
        return 0
    return 2 if "watch" in getattr(item, "fixturenames", ()) else 1


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """For bounds of processor time: one look through all that thousands of tests left behind takes a second."""
    gc.disable()
    yield
    gc.enable()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are cores: tests wait for servers, programs and bounds of time, some of them for seconds."""
    return 1 + (yield)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests are few and long: a worker that has none left takes some of another's."""
    from xdist.scheduler import WorkStealingScheduling  # an optional plugin

    return WorkStealingScheduling(config, log)


def pytest_runtest_setup() -> None:
    """A process looks once for what killed runs left in a folder, and pytest may give a folder its earlier name."""
    from toolglot.converter.files.temporaries import remove_leftovers_once

    remove_leftovers_once.cache_clear()
