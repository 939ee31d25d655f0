"""`python -m daedalus.cli` is the command `daedalus`."""

from . import main

if __name__ == "__main__":
    main()
