"""What studies of Quoridor calculate beside its games."""

from .complexity.report import complexity

CALCULATIONS = {"complexity": complexity}
