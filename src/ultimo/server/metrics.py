"""What is counted and timed, for Prometheus; the names are those of `/metrics`."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
REGISTRY: Final = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)

QUICK: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
THINKING: Final = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)

TABLES: Final = Gauge("ultimo_tables", "Tables held in memory", registry=REGISTRY)
VIEWERS: Final = Gauge("ultimo_viewers", "Pages that watch a table", registry=REGISTRY)
SOCKETS: Final = Gauge("ultimo_sockets", "Open sockets", registry=REGISTRY)
COMMANDS: Final = Counter(
    "ultimo_commands", "Commands of pages by result: done, refused, failed", ["result"], registry=REGISTRY
)
APPEND: Final = Histogram(
    "ultimo_append_seconds", "Until facts are in the database", buckets=QUICK, registry=REGISTRY
)
SEEN: Final = Histogram(
    "ultimo_action_to_seen_seconds",
    "From a command to the moment when its effect is handed to a viewer's socket",
    buckets=QUICK,
    registry=REGISTRY,
)
BOT: Final = Histogram(
    "ultimo_bot_seconds", "What a bot takes for a move", ["level"], buckets=THINKING, registry=REGISTRY
)
COMPILED: Final = Gauge(
    "ultimo_bots_compiled", "1 if bots up to club level run compiled, 0 if as Python", registry=REGISTRY
)
REFUSALS: Final = Counter(
    "ultimo_refusals", "Requests and messages that were turned away, by reason", ["reason"], registry=REGISTRY
)
REQUESTS: Final = Counter(
    "ultimo_requests", "Answered requests by method and status", ["method", "status"], registry=REGISTRY
)
REQUEST: Final = Histogram(
    "ultimo_request_seconds", "Until a request is answered", buckets=QUICK, registry=REGISTRY
)


def exposition() -> bytes:
    """All metrics as Prometheus reads them."""
    return generate_latest(REGISTRY)
