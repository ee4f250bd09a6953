"""`python -m toolglot`."""

from toolglot.cli import run

if __name__ == "__main__":
    run()
