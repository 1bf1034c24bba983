"""How often things happen: what the books say, what is exact, what was measured."""
