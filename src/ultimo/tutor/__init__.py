"""What the engine knows, told to a person: hints, reviews of deals, positions to think about."""
