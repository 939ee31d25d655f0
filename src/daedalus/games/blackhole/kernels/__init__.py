"""Black-Hole Escape: its rules, and all else that is compiled."""
