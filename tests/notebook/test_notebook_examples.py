"""The example notebooks run from top to bottom without a screen, and show boards."""

from importlib.util import find_spec
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (pip install nbclient ipykernel)")
pytest.importorskip("ipykernel", reason="ipykernel is not installed (pip install ipykernel)")
nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (pip install nbformat)")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_there_is_one_for_each_kind_of_user():
    assert [path.stem for path in NOTEBOOKS] == ["compare_agents", "play", "train", "write_an_agent"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_shows_boards(path):
    if path.stem == "train" and not (find_spec("jax") and find_spec("optax")):
        pytest.skip("JAX is not installed (pip install 'daedalus[learn]')")
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells)  # kept without what they once printed
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any(WIDGET in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.output_type == "error"]


def test_agents_answer_in_a_kernel():
    """Agents think in a thread of the kernel, and what they played has reached the widget when the next cell runs."""
    book = nbformat.v4.new_notebook()
    played = "import daedalus\ngame = daedalus.play('quoridor', ['human', 'random'])\ngame.move('e2')\ngame.wait()\n"
    book.cells = [nbformat.v4.new_code_cell(played + "print(len(game.state['moves']), game.state['status'])")]
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    assert book.cells[0].outputs[0].text == "2 White to move: your turn\n"
