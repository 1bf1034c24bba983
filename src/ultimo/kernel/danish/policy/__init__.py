"""How the compiled players of Danish Tarok decide."""
