"""How the compiled players of French Tarot decide."""
