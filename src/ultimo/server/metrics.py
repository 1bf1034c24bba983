"""What is counted and timed, for Prometheus; the names are those of `/metrics`."""

from __future__ import annotations

from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)
GCCollector(registry=REGISTRY)

QUICK: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
THINKING: Final = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
LONG: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0)

_gauge = partial(Gauge, registry=REGISTRY)
_count = partial(Counter, registry=REGISTRY)
_times = partial(Histogram, buckets=QUICK, registry=REGISTRY)

TABLES: Final = _gauge("ultimo_tables", "Tables held in memory")
VIEWERS: Final = _gauge("ultimo_viewers", "Pages that watch a table")
SOCKETS: Final = _gauge("ultimo_sockets", "Open sockets")
CONNECTIONS: Final = _gauge("ultimo_connections", "Open connections, sockets among them")
COMMANDS: Final = _count(
    "ultimo_commands", "Commands of pages by result: done, refused, unanswered, failed", ["result"]
)
APPEND: Final = _times("ultimo_append_seconds", "Until facts are in the database")
SEEN: Final = _times(
    "ultimo_action_to_seen_seconds",
    "From a command to the moment when its effect is handed to a viewer's socket",
)
BOT: Final = _times("ultimo_bot_seconds", "What a bot takes for a move", ["level"], buckets=THINKING)
BOT_WAIT: Final = _times("ultimo_bot_wait_seconds", "What a move of an expert waits for its turn")
STAND_INS: Final = _count(
    "ultimo_stand_ins",
    "Moves of experts that a club player made, by reason: starting, queue, slow, failed",
    ["reason"],
)
BOTS_WAITING: Final = _gauge("ultimo_bots_waiting", "Moves of experts that wait for their turn")
COMPILED: Final = _gauge("ultimo_bots_compiled", "1 if bots up to club level run compiled, 0 if as Python")
TUTOR_WAITING: Final = _gauge("ultimo_tutor_waiting", "Pieces of the tutor's work that wait for a process")
HINT: Final = _times("ultimo_hint_seconds", "Until a hint is given", buckets=THINKING)
REVIEWS: Final = _count("ultimo_reviews", "Reviews by result: made, kept, left, failed", ["result"])
REVIEW: Final = _times("ultimo_review_seconds", "What a review takes, with waiting", buckets=LONG)
SEARCHES: Final = _count(
    "ultimo_searches", "Searches of positions by result: exact, cut, left, failed", ["result"]
)
REMOVED: Final = _count(
    "ultimo_removed",
    "What retention has deleted: sessions, invitations, reviews, words, logs, tables, guests",
    ["what"],
)
DAY_MOST: Final = _gauge(
    "ultimo_day_most", "Part of a limit of the day that the greatest user has used, by limit", ["what"]
)
DAY_USERS: Final = _gauge(
    "ultimo_day_users", "People and addresses that have used so much of a limit of the day", ["what", "part"]
)
REFUSALS: Final = _count(
    "ultimo_refusals", "Requests and messages that were turned away, by reason", ["reason"]
)
REQUESTS: Final = _count("ultimo_requests", "Answered requests by method and status", ["method", "status"])
REQUEST: Final = _times("ultimo_request_seconds", "Until a request is answered")


def exposition() -> bytes:
    """All metrics as Prometheus reads them."""
    return generate_latest(REGISTRY)
