"""How large Quoridor is: walls, pawns, paths and equations counted, and the report that sets them beside printed numbers."""
