"""What is compiled into every game: bit sets, the random source, the steps of a position, defaults of the contract."""
