"""Players measured against each other: the same deals for everybody, differences with their error."""
