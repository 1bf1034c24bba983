"""Who is asked for, and who asks: the names this server answers to, and the address a request comes from.

An attacker can give the name of their own site the address of this machine after its page was loaded (DNS
rebinding): then the browser takes this server for theirs. The name in `Host` is still the attacker's, so only
known names are answered. A number needs no list: no name has been looked up for it.

>>> hosts = Hosts(("tarok.example", "*.club.example"), ("https://play.example",), "127.0.0.1")
>>> [host in hosts for host in ("tarok.example:443", "a.club.example", "play.example", "[::1]:8000")]
[True, True, True, True]
>>> "evil.example" in hosts
False
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

ALL: Final = "*"
LOCAL: Final = (".local", ".lan", ".home.arpa", ".internal")  # names that only one's own network can give
HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/@\s]+)(?::[0-9]{1,5})?")

Address = IPv4Address | IPv6Address


class Hosts:
    """The names this server answers to: those of the settings, of this machine, and numbers.

    Where other machines are let in, also the names that a home network gives.
    """

    def __init__(self, names: Iterable[str], origins: Iterable[str], listening: str) -> None:
        given = {name.lower().rstrip(".") for name in names}
        given |= {urlsplit(origin).hostname or "" for origin in origins}
        self._all = ALL in given
        self._names = given | {"localhost", socket.gethostname().lower()}
        self._open = not is_loopback(listening)
        under = [name[1:] for name in given if name.startswith("*.")]
        self._under = (*under, ".localhost", *(LOCAL if self._open else ()))

    def __contains__(self, host: str) -> bool:
        """Whether a `Host` header names this server."""
        found = HOST.fullmatch(host.lower())
        if found is None:
            return False
        name = found[1].strip("[]").rstrip(".")
        if self._all or name in self._names or name.endswith(self._under) or address_of(name) is not None:
            return True
        return self._open and "." not in name


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    known = address_of(host)
    return known.is_loopback if known is not None else host == "localhost"


def address_of(text: str) -> Address | None:
    """An address; one of IPv4 that is written as one of IPv6 is one of IPv4."""
    try:
        known = ip_address(text)
    except ValueError:
        return None
    return (known.ipv4_mapped or known) if isinstance(known, IPv6Address) else known


def counted(host: str) -> str:
    """An address as limits count it: with IPv6 one person has a whole network.

    >>> counted("2001:db8:1:2:3:4:5:6"), counted("::ffff:203.0.113.7")
    ('2001:db8:1:2::/64', '203.0.113.7')
    """
    known = address_of(host)
    if isinstance(known, IPv6Address):
        return f"{IPv6Address(int(known) >> 64 << 64)}/64"
    return host if known is None else str(known)


def address_groups(counted_address: str) -> tuple[str, ...]:
    """The groups that limits count an address in, the narrow one first: with IPv6 its /64 and its /48.

    Many providers give one customer a whole /48. Whatever is no network of IPv6 is a group of its own.

    >>> address_groups("2001:db8:1:2::/64"), address_groups("203.0.113.7")
    (('2001:db8:1:2::/64', '2001:db8:1::/48'), ('203.0.113.7',))
    """
    network, slash, bits = counted_address.partition("/")
    known = address_of(network) if slash and bits == "64" else None
    if not isinstance(known, IPv6Address):
        return (counted_address,)
    return counted_address, f"{IPv6Address(int(known) >> 80 << 80)}/48"


class Proxies:
    """The proxies whose word is taken, as addresses or networks. `*` takes everybody who connects for one.

    A proxy adds the address that it sees to the end of `X-Forwarded-For`; what stands before that may be
    made up by the visitor. So the last address that is not a proxy's counts, and with `*` the last one.
    Raises `ValueError`.

    >>> Proxies(["127.0.0.1", "10.0.0.0/8"]).client("127.0.0.1", "192.0.2.1, 203.0.113.7, 10.1.1.1")
    '203.0.113.7'
    >>> Proxies(["*"]).client("127.0.0.1", "192.0.2.1, 203.0.113.7")
    '203.0.113.7'
    """

    def __init__(self, proxies: Iterable[str]) -> None:
        given = set(proxies)
        self._all = ALL in given
        self._networks = tuple(ip_network(one, strict=False) for one in sorted(given - {ALL}))

    def __contains__(self, host: str) -> bool:
        """Whether the word of whoever connects from here is taken."""
        known = address_of(host)
        return self._all or (known is not None and any(known in network for network in self._networks))

    def client(self, peer: str, forwarded: str) -> str:
        """The address behind a proxy; the proxy's own if it names none."""
        found = peer
        for part in reversed(forwarded.split(",")):
            known = address_of(_without_port(part.strip()))
            if known is None:
                break
            found = str(known)
            if self._all or found not in self:
                break
        return found


def _without_port(text: str) -> str:
    """
    >>> _without_port("203.0.113.7:80"), _without_port("[2001:db8::1]:80"), _without_port("2001:db8::1")
    ('203.0.113.7', '2001:db8::1', '2001:db8::1')
    """
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
