"""Settings shared by all tests: no notices on stderr, the compile cache shared by all workers, Ctrl-C that is heard."""

import os
import signal

# A shell without job control starts what runs in the background deaf to Ctrl-C, and so would be the commands under test.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.setdefault("DAEDALUS_QUIET", "1")
os.environ.setdefault("DAEDALUS_KEY", "tests")  # hidden games are dealt the same on every machine

# With every array access checked, only tests whose subject is kernels are worth their time.
if os.environ.get("NUMBA_BOUNDSCHECK"):
    subjects = [
        "agent_check",
        "arena",
        "cli",
        "compile",
        "contract",
        "docs",
        "engine",
        "play",
        "picture",
        "ready",
        "records",
        "statistics",
        "study",
    ]
    rooms = ["bench", "boards", "leaks", "openspiel", "picture", "text"]  # of every game
    collect_ignore_glob = [f"test_{subject}*.py" for subject in subjects] + [f"test_*_{room}.py" for room in rooms]
