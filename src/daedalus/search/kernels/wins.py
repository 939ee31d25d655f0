"""Which moves win at once."""

from daedalus.core import kernel


@kernel
def winning(game, S, W, moves, deals, wins):
    """Marks the moves that end the game as a win for who makes them, in each of so many deals of what it cannot know.

    S[0] is the view, its own deal the first of them; S[1] is scratch.
    """
    seat = game.turn(S[0])
    for i in range(moves.size):
        won = True
        deal = 0
        while won and deal < deals:
            S[1] = S[0]
            if deal > 0:
                game.redeal(S[1], seat, W[0])
            game.play(S[1], moves[i])
            won = game.over(S[1]) and game.payoff(S[1], seat) >= 1.0
            deal += 1
        wins[i] = won
