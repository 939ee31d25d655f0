"""Small games that exercise what the built-in ones do not: three seats, hidden cards, plain Python objects."""
