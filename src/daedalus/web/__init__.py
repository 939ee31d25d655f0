"""Playing in a browser: tables, their seats and spectators, and the server that shows them."""
