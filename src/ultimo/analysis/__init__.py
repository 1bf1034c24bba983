"""Reckoning with open cards: the solver, and statistics over many deals."""
