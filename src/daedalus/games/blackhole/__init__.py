"""Black-Hole Escape: sizes 5, 7, 9; the hole stops or swallows."""
