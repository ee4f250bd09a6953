"""What a program writes to its two streams, within bounds."""

from __future__ import annotations

import os
import subprocess
from typing import IO

_CHUNK = 1 << 16


class OutputStreams:
    """What a process writes, as far as it is kept.

    Args:
        most: bytes of standard output; what writes more is a flood.
        kept_errors: bytes of standard error; what is behind is thrown away.
    """

    def __init__(self, process: subprocess.Popen[bytes], most: int, kept_errors: int) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.stdout, self.stderr = bytearray(), bytearray()
        self._most, self._kept_errors = most, kept_errors
        self.pipes: dict[IO[bytes], bytearray] = {process.stdout: self.stdout, process.stderr: self.stderr}
        for pipe in self.pipes:
            os.set_blocking(pipe.fileno(), False)

    @property
    def is_flooded(self) -> bool:
        """Whether it wrote too much."""
        return len(self.stdout) > self._most

    def read(self, pipe: IO[bytes]) -> bool:
        """Take what stands in a pipe now; whether more may come."""
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        buffer = self.pipes[pipe]
        buffer += data
        if buffer is self.stderr:
            del buffer[self._kept_errors :]
        return bool(data)

    def drain(self) -> None:
        """Take what stands in the pipes when the program has ended; what it started may go on writing."""
        for pipe in self.pipes:
            for _ in range(self._most // _CHUNK + 1):
                size = len(self.pipes[pipe])
                self.read(pipe)
                if len(self.pipes[pipe]) == size or self.is_flooded:
                    break
