"""Random games from one position, and flat Monte Carlo: so many of them after each move."""

from daedalus.core import kernel

from .common import rollout


@kernel
def playouts(game, policy, evaluation, S, W, n, cutoff, totals):
    """n rollouts from S[0]; totals: summed payoffs of each seat, then the summed plies, then the number of draws."""
    w = W[0]
    seats = totals.size - 2
    for _ in range(n):
        S[1] = S[0]
        totals[seats] += rollout(game, policy, evaluation, S[1], w, cutoff, seats)
        even = True
        for seat in range(seats):
            totals[seat] += w.payoffs[seat]
            even = even and w.payoffs[seat] == 0.0
        totals[seats + 1] += even


@kernel
def flat(game, policy, evaluation, S, W, moves, begin, end, cutoff, seats, totals, squares, visits):
    """Rollout number begin..end-1, dealt to the moves in turn; adds payoffs for the seat to move. S[0] is its view."""
    w = W[0]
    seat = game.turn(S[0])
    for k in range(begin, end):
        i = k % moves.size
        S[1] = S[0]
        game.redeal(S[1], seat, w)
        game.play(S[1], moves[i])
        rollout(game, policy, evaluation, S[1], w, cutoff, seats)
        totals[i] += w.payoffs[seat]
        squares[i] += w.payoffs[seat] ** 2
        visits[i] += 1
