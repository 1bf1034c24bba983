"""Puzzles: endings from bots' games in which few moves reach a goal, proved by the exact solver."""
