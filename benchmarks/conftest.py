"""Lets the modules of this folder import each other, as they can when `table.py` is run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
