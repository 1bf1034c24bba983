"""Who plays: a view and its legal actions in, an action out."""

from ultimo.players.match import Match
from ultimo.players.player import Player, RandomPlayer, View, create, options_of

__all__ = ["Match", "Player", "RandomPlayer", "View", "create", "options_of"]
