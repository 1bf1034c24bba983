"""What a host may do about people at a table, and what is not told of a pack that is only cut."""

from __future__ import annotations

from live import HOST, Evening, bots
from ultimo.table import Settings, replay


def test_where_the_pack_is_only_cut_the_cards_of_a_deal_are_told_when_the_session_is_over() -> None:
    settings = Settings("french4", 4, bots(4), house={"deal.shuffle": "never"}, tempo="instant", deals=2)
    evening = Evening(settings, seed=1)
    evening.play_on(1)
    for viewer in (HOST, None):
        shown = evening.scene(viewer).result
        assert shown is not None
        assert not shown.hands
        assert not shown.piles
        assert shown.rows, "what is paid is told"
    last, _ = replay(evening.log, 1, "en")
    assert last[-1].scene.result is None or last[-1].scene.result.hands, "a replay shows all"
    evening.play_on(2)
    evening.end()
    shown = evening.scene(HOST).result
    assert shown is not None
    assert shown.hands
