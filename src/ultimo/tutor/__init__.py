"""What the engine knows, told to a person: hints, reviews of deals, positions to think about."""

VERSION = 3  # of what a review holds; one that was stored by another version is made anew
