"""The games, one folder each with the same modules: kernels/rules.py, text, picture, terminal, agents; see core/registry.py."""
