"""The games, one folder each with the same rooms: rules, text, picture, agents."""
