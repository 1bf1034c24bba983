"""Names and passwords without a server: what none may be, which look alike, and how many may be tried."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest

from ultimo.answers.cleaning import clean_name
from ultimo.answers.refusing import Refusal
from ultimo.server.limits import NEIGHBOURS, Attempts, Lane
from ultimo.server.naming import alike, check_password, own_name, password_of

HONEST = (
    *("Ærø-Karen", "Şule", "Ωμέγα", "Ὀδυσσεύς", "Łukasz", "Jørgen B.", "Søren 2", "René", "Zoë", "D’Arcy"),
    *("Олена", "小林", "علي", "דוד", "Nguyễn", "Robin", "Otter", "Karen ❤️", "O'Neill", "Ada Lovelace"),
)


@pytest.mark.parametrize("name", HONEST)
def test_honest_names_are_let_in(name: str) -> None:
    assert own_name(name) == clean_name(name) == unicodedata.normalize("NFKC", name).replace("\ufe0f", "")


def test_no_two_honest_names_look_alike() -> None:
    assert [(a, b) for a in HONEST for b in HONEST if a < b and alike(a, b)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Karen", "Kаren"),  # one letter is Cyrillic
        ("Copa", "Сора"),  # all of them are
        ("paypal", "раураl"),
        ("Ida", "lda"),
        ("ida", "Іda"),
        ("Bo", "B0"),
        ("Mia", "rnia"),
        ("ANNA", "аnna"),
        ("Karen B", "KarenB"),
        ("Zoë", "Zoe\u0308"),
        ("Karen", "𝐊𝐚𝐫𝐞𝐧"),
        ("Ada", "Ꭺda"),
    ],
)
def test_names_that_look_alike_are_found_out(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Rene", "René"), ("Alia", "Alla"), ("Bo", "Bob"), ("Åse", "Ase")]
)
def test_names_that_can_be_told_apart_are_not_the_same(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Kar\u202een", "nameHidden"),
        ("Karen\u200b", "nameHidden"),
        ("Ka\u00adren", "nameHidden"),
        ("Karen\u3164", "nameHidden"),
        ("\u2800\u3164", "nameEmpty"),
        ("Admin", "nameReserved"),
        ("Аdmіn", "nameReserved"),
        ("H0ST", "nameReserved"),
        ("Gæst 7", "nameReserved"),
        ("Whale 42", "nameReserved"),
        ("Ræv-12", "nameReserved"),
        ("bot", "nameReserved"),
        ("Owl (bot)", "nameReserved"),
        ("Owl (ВOT)", "nameReserved"),
    ],
)
def test_names_that_hide_something_or_speak_for_the_server_are_refused(name: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        own_name(name)
    assert (refused.value.status, refused.value.why) == (422, why)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        (" " * 12, "passwordShort"),
        ("\u200b" * 12, "passwordShort"),
        ("\u3164" * 12, "passwordShort"),
        ("a b      c", "passwordShort"),
        ("12345678", "passwordCommon"),
        ("P@ssw0rd!", "passwordCommon"),
        ("ｐａｓｓｗｏｒｄ", "passwordCommon"),
        ("motdepasse1", "passwordCommon"),
        ("abcabcabc", "passwordCommon"),
        ("zzzzzzzzzzzz", "passwordCommon"),
        ("qwertyuiop", "passwordCommon"),
        ("karen1987", "passwordCommon"),
        ("11111112", "passwordCommon"),
        ("abcd1234", "passwordCommon"),
        ("tarokklub1", "passwordCommon"),
        ("weakling1", "passwordCommon"),
        ("weakweak", "passwordCommon"),
        ("azertyuiop", "passwordCommon"),
        ("pagatultimo", "passwordCommon"),
    ],
)
def test_passwords_that_are_none_are_refused(password: str, why: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_password(password, "Karen")
    assert (refused.value.status, refused.value.why, refused.value.field) == (422, why, "password")


@pytest.mark.parametrize("password", ["three words here", "æbleskiver", "8x!kQz2p", "mit lange kodeord"])
def test_other_passwords_need_no_signs_and_no_capitals(password: str) -> None:
    check_password(password, "Karen")


def test_a_password_is_the_same_however_its_characters_are_composed() -> None:
    assert password_of("cafe\u0301 au lait") == password_of("café au lait")


# --- how many may be tried -------------------------------------------------------------------------------


class Tried:
    """Attempts at a time that stands still; nobody really waits."""

    def __init__(self) -> None:
        self.waited = 0
        self._attempts = Attempts(2, 0.001, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waited += 1

    async def lane(self, name: str, address: str, device: str | None = None) -> Lane | None:
        async with self._attempts.attempt(name, address, device, 0.0) as lane:
            return lane

    async def lanes(self, many: int, *where: str) -> list[Lane | None]:
        return [await self.lane(*where) for _ in range(many)]


def test_an_address_can_try_so_many_passwords_at_a_name_and_some_more_at_others() -> None:
    async def scenario() -> None:
        tried = Tried()
        assert await tried.lanes(3, "ada", "here") == ["quick", "quick", None]
        others = [await tried.lane(f"name {number}", "here") for number in range(2 * NEIGHBOURS)]
        assert others == ["quick"] * (2 * NEIGHBOURS - 2) + [None, None]

    asyncio.run(scenario())


def test_strangers_can_slow_each_other_down_but_lock_nobody_out() -> None:
    async def scenario() -> None:
        tried = Tried()
        strangers = [await tried.lane("ada", f"address {number}") for number in range(50)]
        assert strangers == ["quick"] * 2 + ["slow"] * 48
        assert tried.waited == 48
        assert await tried.lane("ada", "somewhere new") == "slow"
        assert await tried.lane("ada", "address 1", "her device") == "quick"  # and without waiting
        assert tried.waited == 49

    asyncio.run(scenario())


def test_neighbours_at_an_address_are_not_in_the_way_of_a_browser_that_has_logged_in_before() -> None:
    async def scenario() -> None:
        tried = Tried()
        for number in range(20):
            await tried.lanes(2, f"name {number}", "cafe")
        assert await tried.lane("ada", "cafe") is None
        assert await tried.lanes(3, "ada", "cafe", "her device") == ["quick", "quick", None]

    asyncio.run(scenario())


def test_from_one_address_one_stranger_waits_at_a_time() -> None:
    async def scenario() -> None:
        held = asyncio.Event()
        attempts = Attempts(2, 0.001, lambda _: _forever(held))

        async def lane(address: str) -> Lane | None:
            async with attempts.attempt("ada", address, None, 0.0) as found:
                return found

        assert [await lane("other 1"), await lane("other 2")] == ["quick", "quick"]
        waiting = asyncio.create_task(lane("here"))
        await asyncio.sleep(0)
        assert await lane("here") is None
        held.set()
        assert await waiting == "slow"

    async def _forever(event: asyncio.Event) -> None:
        await event.wait()

    asyncio.run(scenario())
