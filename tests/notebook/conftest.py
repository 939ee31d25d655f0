"""What the tests of notebooks need."""

import pytest

pytest.importorskip("anywidget", reason="the notebook extra is not installed: pip install 'daedalus[notebook]'")
