"""The club: what is written down where people play with real cards.

A score sheet is a log of facts, folded. What is paid is worked out by the engine's own settlement: an entry
becomes an outcome, the outcome becomes transfers. A seating plan says who sits at which table in each round.
"""
