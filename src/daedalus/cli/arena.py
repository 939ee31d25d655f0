"""Commands that run and keep many games: match, tournament, runs."""
