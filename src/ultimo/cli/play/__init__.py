"""`ultimo play`: sit down at a table in the terminal."""

from ultimo.cli.play.command import arguments, run

__all__ = ["arguments", "run"]
