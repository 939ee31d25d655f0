"""Training networks that play: self-play in kernels, replay, training in JAX, evaluation; playing with one is in search/."""
