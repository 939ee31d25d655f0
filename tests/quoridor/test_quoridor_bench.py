"""What `bench` measures of Quoridor beside what it measures of every game."""

import pytest

from daedalus import InvalidSpec, bench
from daedalus.games.quoridor.bench import against, works


def test_the_works_of_the_game_are_named_and_done():
    by_name = {name: (work, unit) for name, work, unit in works()}
    assert list(by_name) == ["playouts.generating", "playouts.path", "perft4_seconds"]
    for name, (work, unit) in by_name.items():
        assert work(1) == 1 and unit == ("s" if name.endswith("seconds") else "1/s")


def test_openspiel_is_measured_under_its_own_name():
    pytest.importorskip("pyspiel", reason="open_spiel is not installed (pip install open_spiel)")
    done = {name: work(3) for name, work, _ in against("openspiel")}
    assert done == {"openspiel.quoridor.playouts": 3, "openspiel.quoridor.uct": 3}


@pytest.mark.parametrize("game, rival", [("quoridor", "stockfish"), ("blackhole", "openspiel"), (None, "openspiel")])
def test_a_comparison_that_does_not_exist_is_refused_before_anything_is_measured(game, rival):
    with pytest.raises(InvalidSpec):
        next(bench.run(game, rival))


def test_seconds_are_told_as_seconds_and_rates_as_rates(monkeypatch):
    monkeypatch.setattr(bench, "SECONDS", 0.01)

    def busy(n):
        return sum(1 for _ in range(n) if sum(range(2000)))

    assert bench._measured(busy, "s") * bench._measured(busy, "1/s") == pytest.approx(1, rel=0.9)
