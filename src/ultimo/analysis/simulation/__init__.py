"""Deals by the million: played, written down as rows, and kept in files that survive an interruption."""
