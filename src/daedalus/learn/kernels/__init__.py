"""Compiled parts of training."""
