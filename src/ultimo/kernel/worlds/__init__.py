"""Hidden hands drawn from what a seat knows."""
