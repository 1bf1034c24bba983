"""The open-card solver: what every action is worth when all hands lie on the table."""

from ultimo.analysis.solver.solver import MEMORY, POINTS, Atom, Claim, Goal, Points, Solution, Valued, solve

__all__ = ["MEMORY", "POINTS", "Atom", "Claim", "Goal", "Points", "Solution", "Valued", "solve"]
