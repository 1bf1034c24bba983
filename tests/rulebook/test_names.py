"""Every thing has a name in every language, and each book's declarations sound as the book has them."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import get_args, get_type_hints

import pytest

from ultimo.cards import NOTATION, SUITS
from ultimo.events import Announce, Bid, Cup, Declaration, Effect, Offence, Reason
from ultimo.names import LANGUAGES, WORDSETS, Family, SaidDeclaration, UnknownName, language, names
from ultimo.rulebook import Declarations

ROLES = ("dealer", "forehand", "middle", "sitter", "taker", "partner", "defender", "spectator")
BIDS: tuple[str, ...] = get_args(get_type_hints(Bid)["bid"])
ANNOUNCEMENTS: tuple[str, ...] = get_args(get_type_hints(Announce)["kind"])
FAMILIES: tuple[Family, ...] = get_args(Family)

each_language = pytest.mark.parametrize("tongue", LANGUAGES)
each_family = pytest.mark.parametrize("family", FAMILIES)


def _placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _without_declarations(words: Mapping[str, str]) -> set[str]:
    return {key for key in words if not key.startswith("declarations.")}


def _wordset(tongue: str, words: str) -> dict[str, str]:
    prefix = f"declarations.{words}."
    return {
        key.removeprefix(prefix): word for key, word in names(tongue).words.items() if key.startswith(prefix)
    }


# --- the files -----------------------------------------------------------------------------------------


@each_language
def test_every_language_has_exactly_the_keys_of_english(tongue: str) -> None:
    """A word that is added in one language is missed in the others."""
    assert _without_declarations(names(tongue).words) == _without_declarations(names("en").words)


@pytest.mark.parametrize(
    ("tongue", "words"), [("fr", "all"), ("de", "all"), *(("da", words) for words in WORDSETS)]
)
def test_every_wordset_has_the_keys_of_the_english_one(tongue: str, words: str) -> None:
    """Rules B5; only the phrase for tarokker with matadors is a matter of the book."""
    assert _wordset(tongue, words).keys() - {"together"} == _wordset("en", "all").keys()


def test_only_danish_words_a_declaration_by_the_book() -> None:
    """Rules D1, decl.words."""
    found = {
        tongue: {key.split(".")[1] for key in names(tongue).words if key.startswith("declarations.")}
        for tongue in LANGUAGES
    }
    assert found == {"en": {"all"}, "da": set(WORDSETS), "fr": {"all"}, "de": {"all"}}


def test_there_is_a_wordset_for_every_one_a_rulebook_may_ask_for() -> None:
    """Rules D1, decl.words."""
    assert get_args(get_type_hints(Declarations)["words"]) == WORDSETS


@each_language
def test_no_word_is_empty_or_padded(tongue: str) -> None:
    """Only what stands between two phrases has spaces around it."""
    for key, word in names(tongue).words.items():
        assert word.strip(), key
        assert key.startswith("list.") or word == word.strip(), key


@each_language
def test_a_sentence_asks_for_the_same_values_in_every_language(tongue: str) -> None:
    """The table fills a sentence in without knowing the language."""
    for key, sentence in names("en").words.items():
        if not key.startswith("declarations."):
            assert _placeholders(names(tongue).words[key]) == _placeholders(sentence), key


@each_language
def test_every_sentence_of_the_table_can_be_said(tongue: str) -> None:
    """Nothing is left unfilled."""
    for key, sentence in names(tongue).words.items():
        if key.startswith("text."):
            values = dict.fromkeys(_placeholders(sentence), "x")
            assert "{" not in names(tongue).text(key.removeprefix("text."), **values)


# --- every thing has a name ----------------------------------------------------------------------------


@each_language
@each_family
def test_every_reason_has_a_name(tongue: str, family: Family) -> None:
    """Every key of events.Reason."""
    assert all(names(tongue).reason(key, family) for key in get_args(Reason))


@each_language
def test_every_offence_and_effect_has_a_name(tongue: str) -> None:
    """Rules B11, D1 and E1–E3."""
    words = names(tongue)
    assert all(words.offence(key) for key in get_args(Offence))
    assert all(words.effect(key) for key in get_args(Effect))


@each_language
def test_every_role_cup_bid_poignee_and_announcement_has_a_name(tongue: str) -> None:
    """Rules A5, C1 and C3."""
    words = names(tongue)
    said = [
        *map(words.role, ROLES),
        *map(words.cup, get_args(Cup)),
        *map(words.bid, BIDS),
        *map(words.poignee, range(3)),
        *map(words.announcement, ANNOUNCEMENTS),
    ]
    assert all(said)


@each_language
@each_family
def test_no_two_cards_share_a_name(tongue: str, family: Family) -> None:
    """Neither on the screen nor in a sentence; the unseen card is none of them."""
    words = names(tongue)
    for name in (words.card, words.card_long):
        assert len({name(notation, family) for notation in (*NOTATION, "?")}) == 79


@each_language
@each_family
def test_no_two_suits_share_a_name_or_a_sign(tongue: str, family: Family) -> None:
    """The trumps count as a suit, as a led skus may be named so (rules B7)."""
    words = names(tongue)
    assert len({words.suit(suit, family) for suit in SUITS}) == 5
    assert len({words.suit_sign(suit) for suit in SUITS}) == 5


@each_language
def test_every_declaration_can_be_said_under_every_rulebook(tongue: str) -> None:
    """Rules B5: a house may play matadors from below with the words of any book."""
    suits: list[SaidDeclaration] = [
        ("half", 0, None, suit, missing) for suit in "SHCD" for missing in (None, *(suit + c for c in "KQNJ"))
    ]
    kings: list[SaidDeclaration] = [
        ("half", 0, None, "K", missing) for missing in (None, *(suit + "K" for suit in "SHCD"))
    ]
    whole: list[SaidDeclaration] = [(kind, 0, None, of, None) for kind in ("full", "over") for of in "SHCDK"]
    counted: list[SaidDeclaration] = [
        ("tarok", 10, True, None, None),
        ("tarok", 10, False, None, None),
        ("matadors", 3, None, None, None),
        ("matadorsBelow", 3, None, None, None),
    ]
    every = [*suits, *kings, *whole, *counted]
    assert {said[0] for said in every} == set(get_args(get_type_hints(Declaration)["kind"]))
    for words in WORDSETS:
        phrases = [names(tongue).declaration(words, *said) for said in every]
        assert len(set(phrases)) == len(every)
        assert not any("{" in phrase for phrase in phrases)


# --- cards ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tongue", "screen", "sentence"),
    [
        ("en", "♠K ♥Q ♣N ♦J ♠10 ♥1 T21 T1 Skus", "king of spades"),
        ("da", "♠K ♥D ♣C ♦Kn ♠10 ♥1 T21 T1 Skus", "spar konge"),
        ("fr", "♠R ♥D ♣C ♦V ♠10 ♥1 A21 A1 Excuse", "roi de pique"),
        ("de", "♠K ♥D ♣R ♦B ♠10 ♥1 T21 T1 Skus", "Pik-König"),
    ],
)
def test_a_card_is_written_as_the_language_writes_it(tongue: str, screen: str, sentence: str) -> None:
    """Rules A2 and A5; a French trump has the A of atout."""
    words = names(tongue)
    assert " ".join(map(words.card, ("SK", "HQ", "CN", "DJ", "S10", "H1", "T21", "T1", "T0"))) == screen
    assert words.card_long("SK") == sentence
    assert words.card("?") == "?"


@pytest.mark.parametrize(
    ("tongue", "family", "sentence"),
    [
        ("en", "danish", ["skus", "pagat", "trump 21", "trump 14", "trumps"]),
        ("en", "french", ["excuse", "petit", "the 21", "trump 14", "trumps"]),
        ("da", "danish", ["skus", "pagat", "tarok 21", "tarok 14", "tarok"]),
        ("da", "french", ["excuse", "petit", "21’eren", "trumf 14", "trumf"]),
        ("fr", "french", ["excuse", "petit", "21 d’atout", "14 d’atout", "atout"]),
        ("de", "danish", ["Skus", "Pagat", "Mond", "Tarock 14", "Tarock"]),
        ("de", "french", ["Excuse", "Petit", "Trumpf 21", "Trumpf 14", "Trumpf"]),
    ],
)
def test_the_family_names_the_trumps(tongue: str, family: Family, sentence: list[str]) -> None:
    """Rules A5: skus and excuse, pagat and petit are the same cards in two games."""
    words = names(tongue)
    said = [words.card_long(card, family) for card in ("T0", "T1", "T21", "T14")]
    assert [*said, words.suit("T", family)] == sentence


def test_the_excuse_has_its_own_name_on_the_screen_of_the_french_game() -> None:
    """Rules A5."""
    assert {names(tongue).card("T0", "french") for tongue in LANGUAGES} == {"Excuse"}


def test_a_payment_has_the_word_of_its_game() -> None:
    """Rules A5: count, and card points."""
    assert (names("de").reason("count"), names("de").reason("count", "french")) == ("Zählung", "Augen")


@pytest.mark.parametrize("notation", ["", "S", "S0", "S11", "T22", "T00", "X1", "sk", "SK ", "??"])
def test_what_is_no_card_has_no_name(notation: str) -> None:
    """Rules A2."""
    with pytest.raises(UnknownName, match="in en"):
        names("en").card(notation)
    with pytest.raises(UnknownName, match="in en"):
        names("en").card_long(notation)


# --- declarations --------------------------------------------------------------------------------------

TEN_WITH: SaidDeclaration = ("tarok", 10, True, None, None)
TEN_WITHOUT: SaidDeclaration = ("tarok", 10, False, None, None)
ELEVEN_WITH: SaidDeclaration = ("tarok", 11, True, None, None)
THREE_MATADORS: SaidDeclaration = ("matadors", 3, None, None, None)
THREE_BELOW: SaidDeclaration = ("matadorsBelow", 3, None, None, None)
HEARTS_NO_KING: SaidDeclaration = ("half", 0, None, "H", "HK")
CLUBS_NO_QUEEN: SaidDeclaration = ("half", 0, None, "C", "CQ")
CLUBS_NO_JACK: SaidDeclaration = ("half", 0, None, "C", "CJ")
KINGS_NO_SPADES: SaidDeclaration = ("half", 0, None, "K", "SK")
KINGS_NO_DIAMONDS: SaidDeclaration = ("half", 0, None, "K", "DK")
HALF_CLUBS: SaidDeclaration = ("half", 0, None, "C", None)
HALF_KINGS: SaidDeclaration = ("half", 0, None, "K", None)
FULL_CLUBS: SaidDeclaration = ("full", 0, None, "C", None)
FULL_KINGS: SaidDeclaration = ("full", 0, None, "K", None)
OVER_DIAMONDS: SaidDeclaration = ("over", 0, None, "D", None)
OVER_KINGS: SaidDeclaration = ("over", 0, None, "K", None)


@pytest.mark.parametrize(
    ("words", "said", "wording"),
    [
        ("jensen", TEN_WITH, "10 med"),
        ("jensen", TEN_WITHOUT, "10 uden"),
        ("jensen", THREE_MATADORS, "3 matadorer"),
        ("jensen", HEARTS_NO_KING, "Halvfuld melding i hjerter, mangler kongen"),
        ("jensen", KINGS_NO_DIAMONDS, "Halvfuld melding i konger, mangler ruder"),
        ("jensen", FULL_KINGS, "Fuld melding i konger"),
        ("jensen", OVER_KINGS, "Overfyldt melding i konger"),
        ("hermansen", TEN_WITH, "10 med"),
        ("hermansen", TEN_WITHOUT, "10 uden"),
        ("hermansen", CLUBS_NO_QUEEN, "Klør uden dame"),
        ("hermansen", CLUBS_NO_JACK, "Klør uden bonde"),
        ("hermansen", KINGS_NO_SPADES, "Konger uden spar"),
        ("hermansen", FULL_KINGS, "Fulde konger"),
        ("hermansen", OVER_DIAMONDS, "Overfyldte ruder"),
        ("vlk", TEN_WITH, "10 med"),
        ("vlk", THREE_MATADORS, "3 store"),
        ("vlk", HEARTS_NO_KING, "Halvfuld melding i hjerter, mangler kongen"),
        ("vlk", FULL_CLUBS, "Helt i klør"),
        ("vlk", FULL_KINGS, "Helt i konger"),
        ("vlk", OVER_DIAMONDS, "Sprøjte i ruder"),
        ("basta", TEN_WITHOUT, "10 tarokker uden pagat"),
        ("basta", THREE_MATADORS, "3 matadorer"),
        ("basta", THREE_BELOW, "3 matadorer fra neden"),
        ("basta", FULL_CLUBS, "Kavalleri i klør"),
        ("basta", HALF_CLUBS, "Halvt kavalleri i klør"),
        ("basta", CLUBS_NO_QUEEN, "Halvt kavalleri i klør uden dame"),
        ("basta", FULL_KINGS, "Hele konger"),
        ("basta", HALF_KINGS, "Halve konger"),
        ("basta", OVER_DIAMONDS, "Fuldblods kavalleri i ruder"),
        ("basta", OVER_KINGS, "Fuldblods konger"),
        ("dtf", TEN_WITH, "10 med"),
        ("dtf", THREE_MATADORS, "3 matadorer"),
        ("dtf", HEARTS_NO_KING, "Halvt i hjerter uden konge"),
        ("dtf", KINGS_NO_SPADES, "Halvt i konger uden spar"),
        ("dtf", FULL_CLUBS, "Fuldt i klør"),
        ("dtf", OVER_DIAMONDS, "Sprøjte i ruder"),
    ],
)
def test_a_danish_declaration_is_worded_as_in_its_book(
    words: str, said: SaidDeclaration, wording: str
) -> None:
    """Rules B5, "Wording"."""
    assert names("da").declaration(words, *said) == wording
    assert names("da").declarations(words, [said]) == wording


@pytest.mark.parametrize(
    ("words", "said", "wording"),
    [
        ("jensen", [ELEVEN_WITH, THREE_MATADORS], "11 med og 3 matadorer"),
        ("hermansen", [ELEVEN_WITH, THREE_MATADORS], "11 med 3"),
        ("vlk", [("tarok", 13, True, None, None), THREE_MATADORS], "13 med 3 store"),
        ("basta", [ELEVEN_WITH, THREE_MATADORS], "11 tarokker med pagat og 3 matadorer"),
        ("jensen", [TEN_WITHOUT, OVER_KINGS], "10 uden og overfyldt melding i konger"),
        ("hermansen", [THREE_MATADORS, ("half", 0, None, "S", "SN")], "3 matadorer og spar uden caval"),
        (
            "hermansen",
            [("half", 0, None, "K", "HK"), CLUBS_NO_JACK, ("half", 0, None, "D", "DN")],
            "Konger uden hjerter, klør uden bonde og ruder uden caval",
        ),
        ("hermansen", [TEN_WITHOUT, THREE_MATADORS], "10 uden og 3 matadorer"),
        ("hermansen", [THREE_MATADORS, ELEVEN_WITH], "11 med 3"),
        ("hermansen", [ELEVEN_WITH, THREE_MATADORS, KINGS_NO_SPADES], "11 med 3 og konger uden spar"),
        (
            "jensen",
            [HEARTS_NO_KING, KINGS_NO_DIAMONDS],
            "Halvfuld melding i hjerter, mangler kongen; halvfuld melding i konger, mangler ruder",
        ),
        *((words, [], "Pas") for words in WORDSETS),
    ],
)
def test_several_danish_declarations_are_said_in_one_breath(
    words: str, said: list[SaidDeclaration], wording: str
) -> None:
    """Rules B5, "Wording"; the lists as in [000 Farvemeldinger] and [001 Eksempler, from 2 and 3]."""
    assert names("da").declarations(words, said) == wording


@pytest.mark.parametrize(
    ("tongue", "said", "wording"),
    [
        ("en", [TEN_WITH, KINGS_NO_SPADES], "10 trumps with the pagat and half kings without spades"),
        ("en", [HEARTS_NO_KING, OVER_DIAMONDS], "Half hearts without the king and overfull diamonds"),
        ("fr", [CLUBS_NO_QUEEN, THREE_MATADORS], "Demi-pleine à trèfle sans la dame et 3 matadors"),
        ("de", [FULL_CLUBS, TEN_WITHOUT], "Kreuz voll und 10 Tarocke ohne Pagat"),
        ("en", [], "Nothing"),
        ("fr", [], "Passe"),
        ("de", [], "Passe"),
    ],
)
def test_the_other_languages_word_declarations_plainly(
    tongue: str, said: list[SaidDeclaration], wording: str
) -> None:
    """Rules B5: the same words, whatever the book."""
    assert {names(tongue).declarations(words, said) for words in WORDSETS} == {wording}


@each_language
def test_an_impossible_declaration_is_not_worded(tongue: str) -> None:
    """Rules B5: a tarok declaration says with or without, a suit declaration says which suit."""
    words = names(tongue)
    with pytest.raises(ValueError, match="pagat"):
        words.declaration("jensen", "tarok", 10)
    with pytest.raises(ValueError, match="of a suit"):
        words.declaration("jensen", "full")
    for wrong in (("jensen", "quarter"), ("aarhus", "matadors")):
        with pytest.raises(UnknownName):
            words.declaration(*wrong, count=3)
    with pytest.raises(UnknownName):
        words.declaration("jensen", "half", of="H", missing="H10")


# --- which language ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "environ", "found"),
    [
        (None, None, "en"),
        (None, {}, "en"),
        ("da", None, "da"),
        ("DA", None, "da"),
        ("da_DK.UTF-8", None, "da"),
        ("fr-CA", None, "fr"),
        ("de_AT@euro", None, "de"),
        ("fr", {"LC_ALL": "da_DK.UTF-8"}, "fr"),
        (None, {"LANG": "da_DK.UTF-8"}, "da"),
        (None, {"LC_MESSAGES": "fr_FR", "LANG": "da_DK"}, "fr"),
        (None, {"LC_ALL": "de", "LC_MESSAGES": "fr_FR", "LANG": "da_DK"}, "de"),
        (None, {"LC_ALL": "", "LANG": "da_DK"}, "da"),
        (None, {"LC_ALL": "C", "LANG": "da_DK"}, "en"),
        (None, {"LANG": "sv_SE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_one_wished_for_else_the_environments_else_english(
    wish: str | None, environ: dict[str, str] | None, found: str
) -> None:
    """The first variable that is set decides, even if its language is not at hand."""
    assert language(wish, environ) == found


@pytest.mark.parametrize("wish", ["sv", "", "danish", "C"])
def test_a_wish_that_cannot_be_met_names_the_languages_there_are(wish: str) -> None:
    """Nobody is given English who asked for something else."""
    with pytest.raises(ValueError, match="en, da, fr, de"):
        language(wish)
    with pytest.raises(ValueError, match="en, da, fr, de"):
        names(wish)


@each_language
def test_an_unknown_name_says_what_was_looked_for_and_where(tongue: str) -> None:
    """A value a program can act on, and a sentence a person can read."""
    with pytest.raises(UnknownName, match=f"no name for 'roles.cook' in {tongue}") as caught:
        names(tongue).role("cook")
    assert (caught.value.language, caught.value.key) == (tongue, "roles.cook")
    with pytest.raises(ValueError, match="needs a value for 'player'"):
        names(tongue).text("winsTrick")


def test_the_words_of_a_language_are_read_once_and_cannot_be_changed() -> None:
    """Names are a frozen value."""
    assert names("da") is names("da")
    with pytest.raises(TypeError):
        names("da").words["suits.S"] = "spader"  # type: ignore[index]
