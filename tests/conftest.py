"""Settings shared by all tests: no notices on stderr, the compile cache shared by all workers."""

import os

os.environ.setdefault("DAEDALUS_QUIET", "1")
