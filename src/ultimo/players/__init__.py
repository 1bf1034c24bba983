"""Who plays: a view and its legal actions in, an action out."""

from ultimo.players.match import Match
from ultimo.players.player import Guest, Player, RandomPlayer, View, Watcher, create, options_of

__all__ = ["Guest", "Match", "Player", "RandomPlayer", "View", "Watcher", "create", "options_of"]
