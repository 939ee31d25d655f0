"""What Tab offers: games, agents and their options, options of games, runs; in bash also behind `:` and `=`."""

import shutil
import subprocess
import sys

import pytest

from daedalus import arena
from daedalus.cli import main


def offered(words, monkeypatch, capsys):
    """What bash is told for its words, which it has taken apart at `:` and `=`."""
    monkeypatch.setenv("_DAEDALUS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit):
        main()
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    "line, offers",
    [
        ("sho", {"show"}),
        ("show qu", {"quoridor"}),
        ("show blackhole -o ho", {"hole=", "hole=stop", "hole=pass"}),
        ("show blackhole -o hole =", {"stop", "pass"}),
        ("show blackhole -o hole = p", {"pass"}),
        ("match blackhole per", {"perfect"}),
        ("match blackhole mcts : si", {"simulations="}),
        ("match blackhole mcts : c = 2,sol", {"2,solver=", "2,solver=yes", "2,solver=no"}),
        ("play blackhole --seats human,per", {"human,perfect"}),
        ("play blackhole --limit si", {"simulations="}),
        ("study black", {"blackhole"}),
        ("show nonsense -o x", set()),
        ("match blackhole nonsense : x", set()),
    ],
)
def test_tab_offers_what_begins_so(line, offers, monkeypatch, capsys):
    assert set(offered(["daedalus", *line.split()], monkeypatch, capsys)) == offers


def test_runs_are_offered_by_name(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    arena.match("blackhole", "random", "random", games=2, limit="simulations=1", workers=1, name="first-try")
    assert offered(["daedalus", "runs", "show", "fi"], monkeypatch, capsys) == ["first-try"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_the_script_for_bash_asks_the_command(tmp_path):
    """The script that `--install-completion` installs, in a real bash: the words in its arrays, the answers in COMPREPLY."""
    (tmp_path / "daedalus").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m daedalus "$@"\n')
    (tmp_path / "daedalus").chmod(0o755)
    script = """
    PATH="$1:$PATH"
    source <(_DAEDALUS_COMPLETE=source_bash daedalus)
    COMP_WORDS=(daedalus show blackhole -o hole = "") COMP_CWORD=6
    _daedalus_completion daedalus
    echo "${COMPREPLY[@]}"
    """
    done = subprocess.run(["bash", "-c", script, "bash", str(tmp_path)], capture_output=True, text=True)
    assert done.stdout.split() == ["stop", "pass"], done.stderr
