"""`python -m toolglot`."""

import sys

from toolglot.cli import main

if __name__ == "__main__":
    sys.exit(main())
