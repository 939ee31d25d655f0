"""What to say where a package of other people's is not installed."""


def missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The same error, with the line that helps."""
    return ModuleNotFoundError(f"{error.name} is not installed: pip install 'daedalus[interop]'", name=error.name)
