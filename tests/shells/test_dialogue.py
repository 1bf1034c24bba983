"""The talk at a prompt: choosing by number, arrow, notation and words; taking back; refusing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sessions import asks, deal_out, evening, until
from ultimo.cards import Card, parse_cards
from ultimo.cli.play import drawing
from ultimo.cli.play.dialogue import Dialogue
from ultimo.cli.play.notation import cards_named
from ultimo.cli.play.session import Session
from ultimo.events import (
    Action,
    Announce,
    AskTarokLaid,
    Bid,
    Call,
    Cut,
    Declaration,
    Declare,
    DemandSkus,
    EnterCount,
    Lay,
    Pass,
    Play,
    ShowPoignee,
)
from ultimo.names import LANGUAGES, Family, names
from ultimo.table.messages import Act

HAND = "SK SQ S4 S3 HK HJ H2 H5 H9 CK C10 C7 C2 DQ D1 D5 T21 T15 T9 T4 T2 T0"

TEN = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 S1 S2 S3 S4 S5 H1 H2 H3 H4 H5 C1 C2 C3 C4 C5"


def leading(*, house: Mapping[str, Any] | None = None, **options: Any) -> tuple[Session, Dialogue]:
    """Seat 0 is forehand with a known hand and leads."""
    session = evening(dealer=2, house=house, **options)
    deal_out(session, HAND)
    return session, until(session, asks("lead a card"))


def shown(dialogue: Dialogue) -> str:
    return "\n".join(drawing.plain(line) for line in drawing.asked(dialogue, 200))


def action(dialogue: Dialogue) -> Action:
    """What has been chosen to be done."""
    assert isinstance(dialogue.chosen, Act)
    return dialogue.chosen.action


# --- one card ------------------------------------------------------------------------------------------


def test_enter_marks_nothing_dear_and_sends_at_the_second_time() -> None:
    _, dialogue = leading()
    first = dialogue.enter()
    assert first.sent is None
    played = action(first)
    assert isinstance(played, Play)
    assert played.card.value not in ("SK", "HK", "CK", "T21", "T1", "T0")
    assert "Enter confirms, U undoes" in shown(first)
    assert first.enter().sent == first.chosen


def test_quick_sends_at_once() -> None:
    _, dialogue = leading(quick=True)
    assert dialogue.enter().sent is not None


@pytest.mark.parametrize("typed", ["S4", "s4", " S4 ", "♠4", "play S4", "4 of spades", "14"])
def test_a_card_by_notation_sign_words_or_number(typed: str) -> None:
    _, dialogue = leading()
    if typed == "14":
        typed = str(1 + [option.card for option in dialogue.options].index(Card("S4")))
    assert dialogue.say(typed).chosen == Act(Play(Card("S4")))


def test_arrows_go_round_and_drop_the_choice() -> None:
    _, dialogue = leading()
    chosen = dialogue.enter()
    moved = chosen.move(1)
    assert moved.chosen is None
    assert moved.marked == (dialogue.marked + 1) % len(dialogue.options)
    assert moved.move(len(dialogue.options)).marked == moved.marked


def test_undo_takes_the_choice_back_and_then_says_that_there_is_nothing() -> None:
    _, dialogue = leading()
    back = dialogue.say("S4").back()
    assert back.chosen is None
    assert back.message == "Undone"
    assert back.back().message == "Nothing to undo"


def test_a_led_skus_is_named() -> None:
    _, dialogue = leading()
    naming = dialogue.say("T0")
    assert naming.chosen is None
    assert naming.prompt.question == "Which suit does the skus stand for?"
    assert naming.say("h").chosen == Act(Play(Card("T0"), "H"))
    assert naming.say("hearts").chosen == Act(Play(Card("T0"), "H"))
    assert naming.back().prompt is dialogue.prompt
    assert dialogue.say("T0=H").chosen == Act(Play(Card("T0"), "H"))
    assert dialogue.say("skus=t").chosen == Act(Play(Card("T0"), "T"))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("xyzzy", "“xyzzy” is not a choice here"),
        ("0", "“0” is not a choice here"),
        ("99", "“99” is not a choice here"),
        ("S4 S3", "“S4 S3” is not a choice here"),
        ("S1", "Not allowed: "),
        ("S4=H", "“S4=H” is not a choice here"),
    ],
)
def test_what_cannot_be_is_refused_in_words(typed: str, message: str) -> None:
    _, dialogue = leading()
    refused = dialogue.say(typed)
    assert refused.chosen is None
    assert refused.message.startswith(message)
    assert refused.message in shown(refused)


def test_a_card_that_does_not_follow_is_refused_with_the_rule() -> None:
    session = evening(dealer=0)
    deal_out(session, HAND)
    dialogue = until(session, asks("play a card"))
    legal = {option.card for option in dialogue.options}
    other = next(card for card in parse_cards(HAND) if card not in legal and card.value in session.scene.hand)
    refused = dialogue.say(other.value)
    assert refused.message.startswith("Not allowed: ")
    assert "[" in refused.message


def test_what_else_may_be_said_stands_behind_the_cards() -> None:
    session, dialogue = leading()
    assert dialogue.options[-1].leads == Act(AskTarokLaid())
    assert dialogue.say("ask how many").chosen == Act(AskTarokLaid())
    session.proceed(Act(AskTarokLaid()))
    again = session.dialogue()
    assert again is not None
    assert all(option.leads != Act(AskTarokLaid()) for option in again.options)


# --- several cards -------------------------------------------------------------------------------------


def laying(*, house: Mapping[str, Any] | None = None, book: str = "dtf", quick: bool = False) -> Dialogue:
    """Seat 0 deals and lays the skat."""
    session = evening(book, dealer=0, house=house, quick=quick)
    deal_out(session, HAND)
    return until(session, asks("(the skat)"))


def test_enter_suggests_three_cards_and_sends_them() -> None:
    suggested = laying().enter()
    assert len(suggested.picked) == 3
    assert isinstance(action(suggested), Lay)
    assert suggested.sent is None
    assert suggested.enter().sent == suggested.chosen


@pytest.mark.parametrize("typed", ["lay S4 H9 D5", "S4, H9, D5", "s4 h9 d5"])
def test_cards_are_laid_by_typing_them(typed: str) -> None:
    assert laying().say(typed).chosen == Act(Lay(parse_cards("S4 H9 D5")))


def test_cards_are_picked_one_by_one_and_put_back() -> None:
    dialogue = laying()
    numbers = {option.card: str(place) for place, option in enumerate(dialogue.options, 1)}
    one = dialogue.say("S4")
    two = one.say(numbers[Card("H9")])
    assert two.picked == parse_cards("S4 H9")
    assert two.enter().message == "Still to choose: 1"
    assert two.say("H9").picked == parse_cards("S4")
    assert two.back().picked == parse_cards("S4")
    assert two.back().back().picked == ()
    whole = two.say("D5")
    assert whole.chosen == Act(Lay(parse_cards("S4 H9 D5")))
    assert whole.back().chosen is None
    assert whole.back().picked == parse_cards("S4 H9")
    assert (
        dialogue.say(f"{numbers[Card('S4')]} {numbers[Card('H9')]} {numbers[Card('D5')]}").chosen
        == whole.chosen
    )


def test_space_picks_the_marked_card() -> None:
    dialogue = laying()
    picked = dialogue.toggle()
    assert picked.picked == (dialogue.options[0].card,)
    assert picked.toggle().picked == ()
    assert picked.move(1).toggle().move(1).toggle().chosen is not None


def test_a_wrong_skat_is_refused_with_the_rule() -> None:
    dialogue = laying()
    assert dialogue.say("SK S4 H9").message.startswith("Not allowed: ")
    assert dialogue.say("SK").message.startswith("Not allowed: ")
    assert dialogue.say("S4 H9 D5 C2").message == "That is not a choice here. Press ? for help"
    assert dialogue.say("S4 S4 H9").message.startswith("Not allowed: ")
    assert dialogue.say("lay T0=H").message


def test_tout_is_announced_by_laying_the_skus() -> None:
    """Rule: 000 Må ikke lægges c. Where a wrong discard is possible the skus alone does not say it."""
    laid = parse_cards("S4 H9 T0")
    assert laying(book="jensen").say("S4 H9 T0").chosen == Act(Lay(laid, tout=True))
    asked = laying(book="jensen", house={"strict.skat": True}).say("S4 H9 T0")
    assert [option.leads for option in asked.options] == [Act(Lay(laid)), Act(Lay(laid, tout=True))]
    assert asked.say("2").chosen == Act(Lay(laid, tout=True))


def test_all_trumps_or_none_can_be_picked() -> None:
    """Three tarokker may be laid together, and not with another card. Rule: 004 LÆGNING AF SKAT."""
    session = evening(dealer=0)
    few = "T4 T9 T2 SK SQ S4 S3 S5 S6 HK HJ H2 H5 H9 H7 CK C10 C7 C2 C4 C6 DQ D1 D5 D7 D8 D9 D3"
    deal_out(session, few)
    dialogue = until(session, asks("(the skat)"))
    assert dialogue.say("T4").say("S4").message == "That is not a choice here. Press ? for help"
    assert dialogue.say("T4 T9 T2").chosen == Act(Lay(parse_cards("T2 T4 T9")))


# --- words ---------------------------------------------------------------------------------------------


def test_bids() -> None:
    session = evening("french4", 4, dealer=3)
    deal_out(session, "T21 T20 T19")
    dialogue = until(session, asks("Your bid?"))
    assert dialogue.enter().chosen == Act(Pass())
    assert dialogue.say("garde").chosen == Act(Bid("garde"))
    assert dialogue.say("garde s").chosen == Act(Bid("sans"))
    assert dialogue.say("5").chosen == Act(Bid("contre"))
    assert dialogue.say("gar").message


def test_a_contract_from_the_bid_to_the_ecart() -> None:
    one_bid = {"bid.ladder": [{"id": "petite", "mult": 1, "chien": "taken"}]}  # which nobody can raise
    session = evening("french5", 5, dealer=4, house=one_bid)
    deal_out(session, "SK SQ T21 T20 T19")
    session.proceed(Act(Bid("petite")))
    dialogue = until(session, asks("Which card do you call?"))
    called = action(dialogue.enter())
    assert isinstance(called, Call)
    assert called.card != Card("SK")
    session.proceed(Act(called))
    ecart = until(session, asks("(the écart)"))
    assert isinstance(action(ecart.enter()), Lay)


def test_a_poignee_is_offered_before_the_first_card() -> None:
    """Rule: 002 §10. Which trumps are shown is the player's choice."""
    session = evening("french4", 4, dealer=3)
    trumps = "T21 T20 T18 T17 T16 T15 T14 T12 T11 T10 T8"
    deal_out(session, trumps)
    session.proceed(Act(Bid("contre")))
    until(session, asks("Announce a slam"))
    dialogue = until(session, asks("Show a poignée (a handful of trumps) for a bonus?"))
    assert dialogue.enter().prompt.question == "Your turn: lead a card"
    showing = dialogue.say("2")
    assert showing.prompt.question == "Choose 10 cards"
    chosen = action(showing.enter())
    assert isinstance(chosen, ShowPoignee)
    assert Card("T21") not in chosen.cards
    typed = showing.say(f"show {trumps.removesuffix(' T8')}")
    assert typed.chosen == Act(ShowPoignee(tuple(sorted(parse_cards(trumps.removesuffix(" T8"))))))
    session.proceed(Act(chosen))
    assert until(session, asks("lead a card")).options


def test_declarations_are_composed_at_a_strict_table() -> None:
    session = evening(dealer=2, house={"decl.mode": "manual", "strict.declare": True})
    deal_out(session, TEN)
    dialogue = until(session, asks("What do you declare?"))
    true = Declaration("tarok", 10, pagat=False)
    assert dialogue.enter().chosen == Act(Declare((true,)))
    assert dialogue.say("2").chosen == Act(Declare(()))
    hearts = dialogue.say("change: hearts")
    assert hearts.prompt.question == "Hearts"
    both = hearts.say("full hearts")
    assert both.enter().chosen == Act(Declare((true, Declaration("full", of="H"))))
    assert both.say("change: trumps").say("1").enter().chosen == Act(Declare((Declaration("full", of="H"),)))
    assert hearts.back().prompt.question == "What do you declare?"


def test_a_declaration_that_is_a_duty_is_made_with_enter() -> None:
    session = evening(dealer=2, house={"decl.mode": "manual"})
    deal_out(session, TEN)
    dialogue = until(session, asks("What do you declare?"))
    assert dialogue.options[0].leads == Act(Declare((Declaration("tarok", 10, pagat=False),)))


def test_numbers_mean_themselves() -> None:
    """The dealer's left neighbour cuts a pack that is not shuffled; the first deal has no pack yet."""
    session = evening("french4", 4, dealer=0, house={"deal.shuffle": "never"}, deals=2)
    dialogue = until(session, asks("cut off"))
    assert dialogue.enter().chosen == Act(Cut(39))
    assert dialogue.say("12").chosen == Act(Cut(12))
    assert dialogue.say("2").message.startswith("“2” is not a choice here")
    assert "from 4 to 74" in shown(dialogue)


def test_the_count_that_is_suggested_is_right() -> None:
    session = evening(dealer=0, house={"strict.count": True})
    dialogue = until(session, asks("How many points"))
    chosen = action(dialogue.enter())
    assert isinstance(chosen, EnterCount)
    session.proceed(Act(chosen))
    assert until(session, asks("Is the count right?")).options[0].label == "The count is right"


def test_the_skus_can_be_demanded() -> None:
    session = evening("jensen", dealer=2, quiet=True)
    deal_out(session, "S1 S2 S3", "T0")
    dialogue = until(session, asks("Demand the skus (make its holder play it)?"))
    assert dialogue.enter().chosen != Act(DemandSkus())
    assert dialogue.say("demand").chosen == Act(DemandSkus())


def test_nolo_and_tout_are_announced_where_the_book_has_it() -> None:
    session = evening("basta", dealer=2)
    deal_out(session, HAND)
    dialogue = until(session, asks("announce anything"))
    assert dialogue.say("announce n").chosen == Act(Announce("nolo"))


# --- notation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("family", ["danish", "french"])
def test_every_card_is_understood_as_the_screen_writes_it(tongue: str, family: Family) -> None:
    words = names(tongue)
    for card in Card:
        if card.value == "?":
            continue
        for spelled in (card.value, words.card(card.value, family)):
            assert cards_named(words, family, spelled) == [(card, None)], spelled


def test_letters_of_the_language() -> None:
    assert cards_named(names("fr"), "french", "SR A21 DV") == [
        (Card("SK"), None),
        (Card("T21"), None),
        (Card("DJ"), None),
    ]
    assert cards_named(names("de"), "danish", "lege SB") == [(Card("SJ"), None)]
    assert cards_named(names("da"), "danish", "pagat") == [(Card("T1"), None)]
    assert cards_named(names("da"), "danish", "læg") is None
