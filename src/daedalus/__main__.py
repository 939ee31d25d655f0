"""`python -m daedalus` is the same as `daedalus`."""

from daedalus.cli import main

if __name__ == "__main__":
    main()
