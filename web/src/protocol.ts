// The protocol between page and server, written by tools/write_protocol.py: `make protocol`.

export type PageMessage = Do | Resync | Ping;
export type ServerMessage = Full | Update | Done | Refused | Pong | Goodbye;
export type Wish = Act | Sit | Stand | SeatBot | OpenSeat | Start | Ready | TakeBack | SetTempo | SetHelp | Undo | Skip | ClaimRest | Finish | Rematch | Say | Mute | Remove | TakeSeat | Commit | Reveal;
export type Action = Deal | Found | MoveCups | Cut | Accept | DemandRedeal | ObjectCount | Redeal | PassDeal | Lay | Declare | Announce | Decline | DemandSkus | AskTarokLaid | Play | ClaimVoid | Answer | NameSkus | Claim | Vote | EnterCount | Recount | Bid | Pass | Call | ShowPoignee;
export type AnyOffer = ButtonOffer | PlayOffer | PickOffer | DeclareOffer | NumberOffer;
export type Moment = "between" | "deal" | "gathering" | "over";
export type Tag = "dealer" | "forehand" | "middle" | "partner" | "sitter" | "taker";
export type Level = "beginner" | "club" | "expert" | "master" | "random";
export type Tempo = "fast" | "instant" | "normal" | "slow";
export type Help = "alone" | "everyone" | "never";
export type Grade = "best" | "blunder" | "fine" | "forced" | "mistake" | "slip";
export type Suit = "C" | "D" | "H" | "S" | "T";
export type Cup = "king" | "pagat";
export type Account = number | Cup;
export type Language = "da" | "de" | "en" | "fr";
export type Block = Passage | Items | Grid | CardRows;
export type Widget = ChoiceWidget | NumberWidget | PickWidget;
export type AnyClubWish = RenameClub | SetHouseRules | ChangeClub | AddMembers | RenameMember | GiveRole | AskForRole | LetGo | WelcomeBack | UnlinkMember | ForgetMember | OpenSeason | ChangeSeason | CloseSeason | ReopenSeason | OpenEvening | SetAttendance | KeepTables | UnlinkSheet | Uncount | ReopenEvening | Chronicle;
export type AnyTournamentWish = EnterPeople | RenamePerson | WithdrawPerson | ReturnPerson | StandIn | SeatTables | ReportTable | CloseRound | Penalise | DropScorer | PublishTournament | CloseTournament | ReopenTournament;

/** A command. */
export type Do = {
  type: "do";
  cmd: string;
  wish: Wish;
};

/** Do something in the deal. */
export type Act = {
  type: "Act";
  action: Action;
};

/** Chance, not a seat, gives these hands (by seat) and the chien. */
export type Deal = {
  type: "Deal";
  hands: readonly (readonly string[])[];
  chien: readonly string[];
};

/** Pay one's share into the cups that need it (strict cups). */
export type Found = {
  type: "Found";
};

/** The dealer moves the cups to his right (strict cups). */
export type MoveCups = {
  type: "MoveCups";
};

/** Cut the pack, leaving `at` cards above. */
export type Cut = {
  type: "Cut";
  at: number;
};

/** Take up the hand without objection. */
export type Accept = {
  type: "Accept";
};

/** A hand without a real tarok asks for new cards. */
export type DemandRedeal = {
  type: "DemandRedeal";
};

/** Say that a hand has the wrong number of cards. */
export type ObjectCount = {
  type: "ObjectCount";
};

/** After a misdeal: pay, and deal again. */
export type Redeal = {
  type: "Redeal";
};

/** After a misdeal: let the next player deal. */
export type PassDeal = {
  type: "PassDeal";
};

/** Lay the skat or the écart; `tout` announces tout with the skus among the cards. */
export type Lay = {
  type: "Lay";
  cards: readonly string[];
  tout: boolean;
};

/** Make one's declarations; none of them is a pass. */
export type Declare = {
  type: "Declare";
  declarations: readonly Declaration[];
};

/** One declaration (rules B5). */
export type Declaration = {
  kind: "full" | "half" | "matadors" | "matadorsBelow" | "over" | "tarok";
  count?: number;
  pagat?: boolean | null;
  of?: "C" | "D" | "H" | "K" | "S" | null;
  missing?: string | null;
};

/** Announce that one will take no trick, or all of them. */
export type Announce = {
  type: "Announce";
  kind: "nolo" | "slam" | "tout";
};

/** Let an offer pass: no announcement, no demand. */
export type Decline = {
  type: "Decline";
};

/** Demand the skus in the third-last trick. */
export type DemandSkus = {
  type: "DemandSkus";
};

/** Ask the dealer how many tarokker he has laid. */
export type AskTarokLaid = {
  type: "AskTarokLaid";
};

/** Lead or follow with a card; a led skus is named. */
export type Play = {
  type: "Play";
  card: string;
  named: Suit | null;
};

/** Say that one lacks the suit a led skus is named as. */
export type ClaimVoid = {
  type: "ClaimVoid";
};

/** Say whether one has the suit a led skus is named as. */
export type Answer = {
  type: "Answer";
  have: boolean;
};

/** Rename a led skus. */
export type NameSkus = {
  type: "NameSkus";
  suit: Suit;
};

/** Point out an error, or report one's own. */
export type Claim = {
  type: "Claim";
  offence: "declaration" | "revoke" | "skat";
  against: number;
};

/** Answer the question that a fine puts to the two others. */
export type Vote = {
  type: "Vote";
  yes: boolean;
};

/** Enter what one has counted in one's own pile (strict count). */
export type EnterCount = {
  type: "EnterCount";
  points: number;
};

/** Ask for the piles to be counted again (strict count). */
export type Recount = {
  type: "Recount";
};

/** Bid for the contract. */
export type Bid = {
  type: "Bid";
  bid: "contre" | "garde" | "petite" | "sans";
};

/** Make no bid. */
export type Pass = {
  type: "Pass";
};

/** Name the card whose holder is the partner. */
export type Call = {
  type: "Call";
  card: string;
};

/** Show trumps before one's first card. */
export type ShowPoignee = {
  type: "ShowPoignee";
  cards: readonly string[];
};

/** Take an open seat. */
export type Sit = {
  type: "Sit";
  seat: number;
};

/** Give the seat up for good; a bot takes it if the session has begun. */
export type Stand = {
  type: "Stand";
};

/** Let a bot of this level have an open seat (the host). */
export type SeatBot = {
  type: "SeatBot";
  seat: number;
  level: Level;
};

/** Send a bot away before the session begins (the host). */
export type OpenSeat = {
  type: "OpenSeat";
  seat: number;
};

/** Begin the game; bots take the open seats (the host, or while the host is away anybody seated). */
export type Start = {
  type: "Start";
};

/** On to the next deal. */
export type Ready = {
  type: "Ready";
};

/** Take the seat back from the bot that stands in. */
export type TakeBack = {
  type: "TakeBack";
};

/** Change the speed of play, at any time (the host). */
export type SetTempo = {
  type: "SetTempo";
  tempo: Tempo;
};

/** Change whom the table helps, before the game or between deals (the host). */
export type SetHelp = {
  type: "SetHelp";
  help: Help;
};

/** Take back one's own decisions of this deal, so that so many of its events remain; among bots alone. */
export type Undo = {
  type: "Undo";
  to: number;
};

/** See the result of a deal that one sits out among bots alone. */
export type Skip = {
  type: "Skip";
};

/** Lay down the rest of the deal, which no choice can change any more. */
export type ClaimRest = {
  type: "ClaimRest";
};

/** End the session between two deals (the host). */
export type Finish = {
  type: "Finish";
};

/** Once the session is over: a new table with the same people and rules. */
export type Rematch = {
  type: "Rematch";
};

/** Say something to the table. */
export type Say = {
  type: "Say";
  text: string;
};

/** Let nobody hear a person at this table any more, or hear them again (the host). */
export type Mute = {
  type: "Mute";
  who: string;
  muted: boolean;
};

/** Send a spectator away from this table for good (the host). */
export type Remove = {
  type: "Remove";
  who: string;
};

/** Take the seat of a person away; a bot has it if the session has begun (the host). */
export type TakeSeat = {
  type: "TakeSeat";
  who: string;
};

/** Commit to a secret for the shuffling: its SHA-256. The attempt is named by its number at the table. */
export type Commit = {
  type: "Commit";
  deal: number;
  digest: string;
};

/** Reveal the secret. */
export type Reveal = {
  type: "Reveal";
  deal: number;
  secret: string;
};

/** Send everything again. */
export type Resync = {
  type: "resync";
};

/** Is anybody there? */
export type Ping = {
  type: "ping";
};

/** Everything, and what has happened in this deal so far. */
export type Full = {
  type: "full";
  seq: number;
  scene: Scene;
  story: readonly Happening[];
  now: number;
};

/** The table as a viewer sees it. An update replaces whole sections, named as here. */
export type Scene = {
  table: TableShown;
  you: number | null;
  moment: Moment;
  number: number;
  phase: string;
  headline: string;
  contract: string;
  seats: readonly SeatShown[];
  hand: readonly string[];
  trick: TrickShown | null;
  last: TrickShown | null;
  cups: readonly CupShown[];
  aside: AsideShown | null;
  reveal: RevealShown | null;
  turn: Turn | null;
  payments: readonly PaymentShown[];
  cites: Record<string, Cited>;
  result: Result | null;
  fair: FairShown | null;
  chat: readonly ChatShown[];
  people: readonly PersonShown[];
  muted: boolean;
};

/** What the table plays. */
export type TableShown = {
  id: string;
  rules: string;
  title: string;
  family: "danish" | "french";
  size: number;
  house: number;
  deals: number | null;
  tempo: Tempo;
  clock: number | null;
  public: boolean;
  host: boolean;
  mayStart: boolean;
  hostAway: boolean;
  maySkip: boolean;
  skipped: boolean;
  paused: boolean;
  back: number | null;
  again: boolean;
  rematch: string | null;
  help: Help;
  hints: boolean;
  backs: readonly BackShown[];
  takenBack: boolean;
};

/** A decision of the viewer's own that may be taken back: `{"type":"Undo","to":…}`. */
export type BackShown = {
  to: number;
  text: string;
};

/** A seat and who sits there, as far as the viewer knows. */
export type SeatShown = {
  seat: number;
  name: string;
  kind: "bot" | "open" | "person";
  level: string;
  present: boolean;
  standIn: boolean;
  tags: readonly Tag[];
  role: string;
  cards: number;
  tricks: number;
  said: readonly string[];
  hand: readonly string[];
  total: number;
  gain: number;
  staked: number;
  turn: boolean;
  ready: boolean;
};

/** A trick, with its winner once it is complete. */
export type TrickShown = {
  number: number;
  plays: readonly PlayShown[];
  winner: number | null;
};

/** A card in a trick; `named` is the suit a led skus counts as, `as_word` how one says it. */
export type PlayShown = {
  seat: number;
  card: string;
  named: Suit | null;
  asWord: string;
};

/** One of the two cups; an empty one is founded before the next deal. */
export type CupShown = {
  cup: Cup;
  name: string;
  points: number;
};

/** The cards that lie aside: skat, chien or écart; those the viewer may see are named. */
export type AsideShown = {
  kind: "chien" | "ecart" | "skat";
  name: string;
  count: number;
  cards: readonly string[];
};

/** The chien, turned up for all to see, until its taker has laid the écart. */
export type RevealShown = {
  seat: number;
  name: string;
  text: string;
  cards: readonly string[];
  until: number;
};

/** What the viewer is asked, and all that he may do. */
export type Turn = {
  question: string;
  guide: string;
  offers: readonly AnyOffer[];
  barred: readonly Barred[];
  deadline: number | null;
  only: string | null;
  rest: boolean;
};

/** One action. */
export type ButtonOffer = {
  kind: "button";
  action: Action;
  label: string;
};

/** Playing one of these cards: `{"type":"Play","card":…,"named":null}`. */
export type PlayOffer = {
  kind: "play";
  cards: readonly string[];
  naming: boolean;
  suits: readonly SuitShown[];
};

/** A suit and its word. */
export type SuitShown = {
  suit: Suit;
  word: string;
};

/** Choosing `size` cards: all of `must`, the rest from `among`. */
export type PickOffer = {
  kind: "pick";
  does: "Lay" | "ShowPoignee";
  label: string;
  size: number;
  must: readonly string[];
  among: readonly string[];
  tout: boolean;
  suggestion: readonly string[];
};

/** Composing one's declarations: `{"type":"Declare","declarations":[…]}`, in the order of the slots. */
export type DeclareOffer = {
  kind: "declare";
  slots: readonly SlotShown[];
  due: readonly Declaration[];
  nothing: string;
};

/** What a declaration can be about; of each slot one is made, or none. */
export type SlotShown = {
  name: string;
  options: readonly SaidShown[];
};

/** A declaration and its words. */
export type SaidShown = {
  declaration: Declaration;
  label: string;
};

/** Choosing a number: `{"type":"Cut","at":…}` or `{"type":"EnterCount","points":…}`. */
export type NumberOffer = {
  kind: "number";
  does: "Cut" | "EnterCount";
  least: number;
  most: number;
  usual: number;
};

/** Cards of the hand that may not be chosen now, why, and where that is written. */
export type Barred = {
  cards: readonly string[];
  why: string;
  cite: Cited | null;
};

/** Where something is written, and the sentences that explain it. */
export type Cited = {
  words: string;
  why: readonly string[];
};

/** One payment; `text` is the whole sentence, `cite` stands in the legend that comes with it. */
export type PaymentShown = {
  deal: number;
  payer: Account;
  payee: Account;
  points: number;
  reason: string;
  text: string;
  cite: string;
};

/** A deal that is over: how it ended, and what was paid for what. */
export type Result = {
  number: number;
  title: string;
  told: readonly AccountShown[];
  lines: readonly string[];
  tricks: readonly string[];
  ladder: readonly StepShown[];
  accounts: readonly string[];
  rows: readonly RowShown[];
  dealRow: readonly number[];
  totalRow: readonly number[];
  piles: readonly PileShown[];
  aside: AsideShown | null;
  hands: readonly HandShown[];
};

/** What a seat has won and lost, in a sentence. */
export type AccountShown = {
  seat: number;
  text: string;
};

/** Counts from `least` to `most` are paid alike. */
export type StepShown = {
  least: number;
  most: number;
  points: number;
};

/** What each account has gained or lost for one reason, and where that is written, by the legend. */
export type RowShown = {
  label: string;
  points: readonly number[];
  cites: readonly string[];
  part: "end" | "play" | "stake";
  rule: string;
  how: readonly string[];
};

/** A counted pile: a seat's, or in French Tarot a side's. */
export type PileShown = {
  name: string;
  seat: number | null;
  points: string;
  tricks: number;
  cards: readonly string[];
};

/** A hand as it was dealt. */
export type HandShown = {
  seat: number;
  cards: readonly string[];
};

/** The attempt at a draw that is under way: who has committed to what. */
export type FairShown = {
  number: number;
  draw: "cards" | "dealer" | "rest";
  deal: number;
  server: string;
  wanted: "commit" | "reveal" | null;
  players: readonly string[];
};

/** Something that was said. */
export type ChatShown = {
  name: string;
  seat: number | null;
  text: string;
  at: number;
  who: string;
};

/** Somebody about whom this viewer, as the host, may do something. */
export type PersonShown = {
  who: string;
  name: string;
  seat: number | null;
  muted: boolean;
};

/** Something that has just happened, told in words; what is animated comes with its values. */
export type Happening = {
  kind: "chat" | "dealt" | "moment" | "paid" | "played" | "told" | "won";
  text: string;
  seat: number | null;
  card: string | null;
  payment: PaymentShown | null;
  moment: MomentShown | null;
};

/** Something worth stopping for; a cup gives points, or gets them where they are negative. */
export type MomentShown = {
  title: string;
  cup: Cup | null;
  points: number;
};

/** What has changed since `base`: the sections of the scene that are new, and what happened. */
export type Update = {
  type: "update";
  base: number;
  seq: number;
  patch: Record<string, unknown>;
  story: readonly Happening[];
  now: number;
};

/** The command has been applied, at this sequence number or before. */
export type Done = {
  type: "done";
  cmd: string;
  seq: number;
};

/** The command changes nothing: why, and where that is written. */
export type Refused = {
  type: "refused";
  cmd: string;
  reason: string;
  cite: Cited | null;
};

/** Somebody is. */
export type Pong = {
  type: "pong";
  now: number;
};

/** The server closes the socket: `again` says whether to come back by itself. */
export type Goodbye = {
  type: "goodbye";
  reason: string;
  again: boolean;
};

/** Sentences that belong together. */
export type Passage = {
  kind: "passage";
  text: string;
};

/** A list. */
export type Items = {
  kind: "items";
  items: readonly string[];
};

/** Rows under a head. */
export type Grid = {
  kind: "grid";
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

/** Rows of cards. */
export type CardRows = {
  kind: "cards";
  rows: readonly CardRow[];
};

/** Cards side by side, in notation, and what they are; some may be marked. */
export type CardRow = {
  label: string;
  cards: readonly string[];
  marked: readonly string[];
};

/** One of several options; with `many`, all that are right. Answered by their numbers, from 0. */
export type ChoiceWidget = {
  kind: "choice";
  options: readonly string[];
  many: boolean;
};

/** A whole number, which may be below zero. */
export type NumberWidget = {
  kind: "number";
};

/** So many of these cards, in notation; `barred` are shown and cannot be picked. */
export type PickWidget = {
  kind: "pick";
  cards: readonly string[];
  count: number;
  barred: readonly string[];
};

/** Secretary: give the club another name. */
export type RenameClub = {
  type: "RenameClub";
  name: string;
};

/** Secretary: the club's own rulebook, which the sheets that are opened from now on follow. */
export type SetHouseRules = {
  type: "SetHouseRules";
  name: string;
  rules: string;
  house?: Record<string, unknown>;
};

/** Secretary: who may see the standings, whether sessions online count, how new seasons are won. */
export type ChangeClub = {
  type: "ChangeClub";
  public: boolean;
  online: boolean;
  scoring?: ScoringWish;
};

/** How a season is won: all points, the mean of an evening, the `best` evenings; who came to `least`. */
export type ScoringWish = {
  by?: "best" | "mean" | "total";
  best?: number;
  least?: number;
};

/** Secretary: put people on the list. */
export type AddMembers = {
  type: "AddMembers";
  names: readonly string[];
};

/** Secretary: call a member something else. */
export type RenameMember = {
  type: "RenameMember";
  member: string;
  name: string;
};

/** Secretary: let a member do more or less. At least one secretary stays. */
export type GiveRole = {
  type: "GiveRole";
  member: string;
  role: "member" | "scorer" | "secretary";
};

/** Scorer: ask to be a secretary, too. */
export type AskForRole = {
  type: "AskForRole";
  member: string;
};

/** Secretary, or the member: the member has left, and the account sees the club no more. */
export type LetGo = {
  type: "LetGo";
  member: string;
};

/** Secretary: a member who had left is back. */
export type WelcomeBack = {
  type: "WelcomeBack";
  member: string;
};

/** Secretary, or the member: the account sees the club no more; the member stays on the list. */
export type UnlinkMember = {
  type: "UnlinkMember";
  member: string;
};

/** Secretary: take a member's name out of the whole log and all sheets; what they won stays. */
export type ForgetMember = {
  type: "ForgetMember";
  member: string;
};

/** Secretary: begin a season, won as the club's seasons are unless `scoring` says otherwise. */
export type OpenSeason = {
  type: "OpenSeason";
  name: string;
  scoring?: ScoringWish | null;
};

/** Secretary: call a season something else, or let it be won in another way. */
export type ChangeSeason = {
  type: "ChangeSeason";
  season: string;
  name: string;
  scoring: ScoringWish;
};

/** Secretary: the season is over. All its evenings must be closed. */
export type CloseSeason = {
  type: "CloseSeason";
  season: string;
};

/** Secretary: the season goes on after all. */
export type ReopenSeason = {
  type: "ReopenSeason";
  season: string;
};

/** Scorer: the club meets on a day (2026-11-17); without `season` in the one that runs, if any does. */
export type OpenEvening = {
  type: "OpenEvening";
  day: string;
  season?: string | null;
};

/** Scorer: who is there, instead of what was said before. Guests have ids g1, g2 … and names. */
export type SetAttendance = {
  type: "SetAttendance";
  evening: string;
  members: readonly string[];
  guests?: Record<string, string>;
  late?: Record<string, number>;
  leaving?: Record<string, number>;
};

/** Scorer: who sits at which table in each round, drawn (then with its `seed`) or put together by hand. */
export type KeepTables = {
  type: "KeepTables";
  evening: string;
  rounds: readonly (readonly (readonly string[])[])[];
  seed?: string;
};

/** Scorer: a score sheet does not belong to the evening after all. It stays where it is. */
export type UnlinkSheet = {
  type: "UnlinkSheet";
  evening: string;
  sheet: string;
};

/** Scorer: what was counted of a source counts no more. */
export type Uncount = {
  type: "Uncount";
  evening: string;
  source: string;
};

/** Scorer: the evening goes on after all, or something is put right. */
export type ReopenEvening = {
  type: "ReopenEvening";
  evening: string;
};

/** Scorer: write something worth remembering, of an evening or of the club. */
export type Chronicle = {
  type: "Chronicle";
  text: string;
  evening?: string;
};

/** People enter; they are numbered in this order. */
export type EnterPeople = {
  type: "EnterPeople";
  people: readonly PersonWish[];
};

/** Somebody who enters. */
export type PersonWish = {
  name: string;
  team?: string;
  club?: string;
};

/** Put the name, team or club of a participant right. */
export type RenamePerson = {
  type: "RenamePerson";
  who: number;
  person: PersonWish;
};

/** A participant plays no more from a round on. */
export type WithdrawPerson = {
  type: "WithdrawPerson";
  who: number;
  round: number;
};

/** A participant plays again. */
export type ReturnPerson = {
  type: "ReturnPerson";
  who: number;
};

/** Somebody plays for a participant from a round on. */
export type StandIn = {
  type: "StandIn";
  who: number;
  round: number;
  name: string;
};

/** The tables of a round. */
export type SeatTables = {
  type: "SeatTables";
  round: number;
  tables: readonly (readonly number[])[];
};

/** What a table brought in: points by seat, or boards by seat, or on each board what the taker won. */
export type ReportTable = {
  type: "ReportTable";
  round: number;
  table: number;
  points?: readonly number[];
  boards?: readonly (readonly number[])[];
  scores?: readonly (number | null)[];
  deals?: number;
  cups?: number;
  sheet?: boolean;
  amend?: boolean;
  anyway?: boolean;
  note?: string;
};

/** All results of a round are in. */
export type CloseRound = {
  type: "CloseRound";
  round: number;
};

/** Somebody loses so many hundredths of a point or mark. */
export type Penalise = {
  type: "Penalise";
  who: number;
  hundredths: number;
  note?: string;
};

/** Somebody may write results no longer. */
export type DropScorer = {
  type: "DropScorer";
  who: string;
};

/** Whether everybody who has the address may read the results. */
export type PublishTournament = {
  type: "PublishTournament";
  public: boolean;
};

/** The tournament is over. */
export type CloseTournament = {
  type: "CloseTournament";
};

/** It is not over after all. */
export type ReopenTournament = {
  type: "ReopenTournament";
};

/** The agreement of a table. */
export type Settings = {
  rules: string;
  size: number;
  seats: readonly SeatPlan[];
  house?: Record<string, unknown>;
  deals?: number | null;
  tempo?: Tempo;
  clock?: number | null;
  grace?: number;
  public?: boolean;
  help?: Help;
  digest?: string;
  firstDealer?: number | null;
};

/** Who is to have a seat: the host, a bot, or whoever comes by the link or from the lobby. */
export type SeatPlan = {
  kind: "bot" | "host" | "open";
  level?: Level;
};

/** What is wrong with a request; `field` says with which part of it, `cite` where that is written. */
export type Trouble = {
  error: string;
  field?: string;
  cite?: Cited | null;
  column?: number | null;
};

/** Come in; whoever has no session yet becomes a guest. */
export type Enter = {
  language?: Language | null;
};

/** Change one's name or language. */
export type ChangeMe = {
  name?: string;
  language?: Language;
};

/** The name and the password of an account. */
export type Credentials = {
  name: string;
  password: string;
};

/** Change the password of one's account. */
export type ChangePassword = {
  old: string;
  new: string;
};

/** Log out: of this browser, or of all. */
export type LogOut = {
  everywhere?: boolean;
};

/** Who somebody is. */
export type Me = {
  id: string;
  name: string;
  guest: boolean;
  language: Language;
};

/** A session that one has played: `series` are one's own totals after each deal. */
export type Sitting = {
  id: string;
  title: string;
  at: number;
  moment: Moment;
  deals: number;
  total: number;
  players: readonly string[];
  series: readonly number[];
  device: string;
};

/** What one has won and lost under a rulebook at tables of a size; `slams` are touts, too. */
export type FigureGroup = {
  title: string;
  rules: string;
  family: "danish" | "french";
  size: number;
  deals: number;
  points: number;
  ultimos: number;
  baguds: number;
  nolos: number;
  slams: number;
  lastTricks: number;
};

/** How often one has taken with a bid, and made it. */
export type ContractFigure = {
  bid: string;
  times: number;
  made: number;
};

/** One deal of one's own. */
export type DealFigure = {
  table: string;
  deal: number;
  points: number;
  title: string;
  at: number;
};

/** What one has won and lost: `totals` run through the last deals, and begin at nothing. */
export type Figures = {
  deals: number;
  points: number;
  dealsToday: number;
  pointsToday: number;
  groups: readonly FigureGroup[];
  contracts: readonly ContractFigure[];
  totals: readonly number[];
  best: DealFigure | null;
  worst: DealFigure | null;
  uncounted: Record<string, number>;
};

/** A rule on which a book and the federation's do not agree: `here` is this book, `there` the other. */
export type Differs = {
  key: string;
  here: string;
  there: string;
  citeHere: Cited;
  citeThere: Cited;
};

/** A rulebook that a table can be opened under. */
export type Book = {
  id: string;
  family: "danish" | "french";
  title: string;
  about: string;
  sizes: readonly number[];
  beside: string;
  differences: readonly Differs[];
};

/** A rulebook and what a table may change about it, with the house rules chosen so far. */
export type BookPage = {
  book: Book;
  groups: readonly SwitchGroup[];
  sheetSizes: readonly number[];
};

/** The switches of one section of the rules. */
export type SwitchGroup = {
  title: string;
  switches: readonly Switch[];
};

/** A parameter that a table may change: one of its `choices`, or a number from `least` to `most`. */
export type Switch = {
  key: string;
  kind: "choice" | "number" | "yes/no";
  label: string;
  sentence: string;
  value: boolean | number | string;
  book: boolean | number | string;
  cite: Cited;
  choices: readonly Choice[];
  least: number;
  most: number;
};

/** One value of a switch, and what it means. */
export type Choice = {
  value: boolean | number | string;
  sentence: string;
};

/** A rule of a table; where `house`, `book` is what the book says instead. */
export type RuleLine = {
  key: string;
  sentence: string;
  cite: Cited;
  house: boolean;
  book: string;
};

/** The rules about one part of the game. */
export type RuleSection = {
  title: string;
  lines: readonly RuleLine[];
};

/** The rules for `size` at the table, `house` of them its own: how to play, then all of them in detail. */
export type TableRules = {
  title: string;
  about: string;
  heading: string;
  family: "danish" | "french";
  size: number;
  sizes: readonly number[];
  house: number;
  chapters: readonly Chapter[];
  sections: readonly RuleSection[];
  earlier: boolean;
};

/** A part of the text; its id is the same in every language. */
export type Chapter = {
  id: string;
  title: string;
  blocks: readonly Block[];
};

/** The words of both games, explained. */
export type Glossary = {
  words: readonly Explanation[];
};

/** A word of the game; `words` are all by which a text is recognised to speak of it. */
export type Explanation = {
  id: string;
  family: "" | "danish" | "french";
  word: string;
  words: readonly string[];
  says: string;
  books: readonly BookWords[];
};

/** What a book calls something, in its own language. */
export type BookWords = {
  book: string;
  words: string;
};

/** Open a table. */
export type NewTable = {
  settings: Settings;
};

/** Open a table at which the cards of a closed deal are played once more, or on from a frame. */
export type PlayAgain = {
  deal: number;
  step?: number | null;
};

/** The table that has been opened. */
export type TableMade = {
  id: string;
};

/** Bring the log of a session that was played on a device; `known` as with a score sheet. */
export type BringSession = {
  log: string;
  known?: boolean;
};

/** The place of a session in the account, and how many of its deals are there. */
export type SessionBrought = {
  id: string;
  deals: number;
};

/** Give a seat to a program. */
export type SeatProgram = {
  seat: number;
  name: string;
};

/** The token of a program, which is told this once, and the name by which it sits there. */
export type ProgramSeated = {
  token: string;
  seat: number;
  name: string;
};

/** A seat as the lobby shows it. */
export type SeatLine = {
  name: string;
  kind: "bot" | "open" | "person";
};

/** A table as the lobby and its invitation show it. */
export type TableLine = {
  id: string;
  title: string;
  rules: string;
  family: "danish" | "french";
  size: number;
  seats: readonly SeatLine[];
  moment: Moment;
  number: number;
  deals: number | null;
  house: number;
  public: boolean;
  at: number;
};

/** The public tables: those one can sit down at, and those one can watch. */
export type Lobby = {
  open: readonly TableLine[];
  running: readonly TableLine[];
};

/** A closed deal step by step, with all cards open. */
export type Replay = {
  deal: number;
  frames: readonly Frame[];
  cites: Record<string, Cited>;
};

/** One step of a replay: the table with all cards open, and what has just happened. */
export type Frame = {
  scene: Scene;
  story: readonly Happening[];
};

/** Every payment of a session, and their legend. */
export type Ledger = {
  payments: readonly PaymentShown[];
  cites: Record<string, Cited>;
};

/** Ask what to do, and why not something else; `move` may say which one, of several that wait. */
export type AskHint = {
  move?: number | null;
  against?: Action | null;
  first?: boolean;
};

/** Look at a position after some moves. */
export type Analyse = {
  text: string;
  moves?: readonly Action[];
};

/** Search a position for a goal. */
export type Search = {
  text: string;
  moves?: readonly Action[];
  goal?: string;
};

/** Write down what was played from a position, with a comment to each move. */
export type WriteDown = {
  text: string;
  moves?: readonly Action[];
  comments?: readonly string[];
};

/** Go to a step of a guided first deal, after these moves of one's own. */
export type GuideStep = {
  at?: number;
  moves?: readonly Action[];
};

/** Open what was written down. */
export type Reopen = {
  record: string;
};

/** A position, what was played from there, and a comment to each move. */
export type Reopened = {
  text: string;
  moves: readonly Action[];
  comments: readonly string[];
};

/** How far a review has come, and how many are before it. */
export type ReviewProgress = {
  done: number;
  of: number;
  waiting: number;
};

/** How many searches are before this one. */
export type Waiting = {
  waiting: number;
};

/** A position in text. */
export type PositionTold = {
  text: string;
};

/** The moves that somebody makes in a puzzle, from its start. */
export type TryPuzzle = {
  moves?: readonly Action[];
};

/** A theme of puzzles: how many there are, and how many of them one has tried and solved. */
export type ThemeLine = {
  id: string;
  title: string;
  family: "danish" | "french";
  number: number;
  tried: number;
  solved: number;
};

/** A rulebook that puzzles are played by. */
export type RulesLine = {
  id: string;
  title: string;
  family: "danish" | "french";
  number: number;
};

/** What one's attempts at puzzles have come to; `streak` is how many were solved one after another. */
export type StandingShown = {
  rating: number;
  tried: number;
  solved: number;
  streak: number;
  best: number;
};

/** A reviewed deal of one's own with mistakes that the solver proves: they can be played better. */
export type OwnDeal = {
  table: string;
  deal: number;
  title: string;
  number: number;
};

/** All puzzles: by themes and rulebooks, one's own standing, and the puzzle of the day. */
export type PuzzlesTold = {
  themes: readonly ThemeLine[];
  rules: readonly RulesLine[];
  standing: StandingShown;
  day: string;
  daySolved: boolean | null;
  own: readonly OwnDeal[];
};

/** What an attempt at a puzzle comes to; `told` beside it is the puzzle after the moves (`PuzzleTold`). */
export type Attempted = {
  standing: StandingShown;
  solved: boolean | null;
  change: number | null;
};

/** A master who played a game, and what it brought them. */
export type GameSeat = {
  name: string;
  result: number;
};

/** A game to watch: in a few words, by which rules, and how many of its decisions are told. */
export type GameLine = {
  id: string;
  headline: string;
  rules: string;
  family: "danish" | "french";
  seats: readonly GameSeat[];
  card: string;
  told: number;
};

/** All games to watch. */
export type GamesTold = {
  games: readonly GameLine[];
};

/** A game step by step. */
export type GameTold = {
  game: GameLine;
  replay: Replay;
};

/** Open a table at which a game is played on from a step, from a seat of one's choice. */
export type WatchOn = {
  step: number;
  seat: number;
};

/** Answer an exercise: by the numbers of options, by cards in notation, or by one number. */
export type GiveAnswer = {
  answer: readonly string[];
};

/** A lesson in a list: how many exercises it has, and how many of them are solved. */
export type LessonLine = {
  name: string;
  title: string;
  goal: string;
  exercises: number;
  solved: number;
};

/** A chapter of the course. */
export type SchoolChapter = {
  id: string;
  family: "danish" | "french";
  title: string;
  lessons: readonly LessonLine[];
};

/** A rulebook by which a trainer can be played; who serves both games has books of both. */
export type TrainerBook = {
  id: string;
  title: string;
  family: "danish" | "french";
};

/** A trainer, and one's longest run of right answers; the first book, and its game, are the usual ones. */
export type TrainerLine = {
  id: string;
  family: "danish" | "french";
  title: string;
  about: string;
  books: readonly TrainerBook[];
  best: number;
};

/** The first deal of a game, with a guide; whether one has played it. */
export type FirstDeal = {
  family: "danish" | "french";
  done: boolean;
};

/** All that can be learned, and how far one has come. */
export type School = {
  first: readonly FirstDeal[];
  chapters: readonly SchoolChapter[];
  trainers: readonly TrainerLine[];
};

/** Something to read in a lesson. */
export type ReadPart = {
  kind: "read";
  block: Block;
};

/** An exercise of a lesson, by its number from 0. */
export type AskPart = {
  kind: "ask";
  number: number;
  question: Question;
  solved: boolean;
};

/** What is asked, in a language: the text, what is shown with it, and how it is answered. */
export type Question = {
  text: string;
  widget: Widget;
  blocks: readonly Block[];
};

/** A lesson: its parts in order, what comes before and after it, and where to practise. */
export type LessonPage = {
  name: string;
  family: "danish" | "french";
  chapter: string;
  title: string;
  goal: string;
  book: string;
  parts: readonly (ReadPart | AskPart)[];
  cites: readonly Cited[];
  needs: readonly LessonLine[];
  previous: LessonLine | null;
  next: LessonLine | null;
  trainers: readonly TrainerLine[];
};

/** A question of a trainer's run. */
export type TrainerPage = {
  trainer: TrainerLine;
  book: string;
  n: number;
  question: Question;
};

/** What is said to an answer in a run, how long the run is, and one's longest. */
export type TrainerVerdict = {
  verdict: Verdict;
  streak: number;
  best: number;
};

/** What is said to an answer: whether it is right, why, and an answer that is. */
export type Verdict = {
  right: boolean;
  text: string;
  answer: readonly string[];
  blocks: readonly Block[];
};

/** How a pack becomes hands: who gets a packet in turn, and where the chien may come from. */
export type DealingOrder = {
  seats: number;
  order: readonly number[];
  packet: number;
  chien: number;
  ends: number;
  pack: readonly string[];
};

/** What was dealt: the cards of each seat, and those of the chien. */
export type DealtCards = {
  hands: readonly (readonly string[])[];
  chien: readonly string[];
};

/** One dealing of a deal: the secrets it came from, and what came of them. */
export type Shuffled = {
  proof: Proof | FirstProof;
  dealt: DealtCards;
};

/** All that is needed to draw once more; `dealing` is 2 after a redeal, and 0 where no hands are dealt. */
export type Proof = {
  version: "ultimo-fair-2";
  table: string;
  draw: "cards" | "dealer" | "rest";
  deal: number;
  dealing: number;
  people: readonly number[];
  among: readonly number[];
  attempts: readonly Attempt[];
};

/** One attempt at a draw: the secret of the server, and the players who had committed in time. */
export type Attempt = {
  commitment: string;
  secret: string;
  players: readonly Share[];
};

/** What a player adds to the shuffle; without a secret the player has not revealed. */
export type Share = {
  seat: number;
  commitment: string;
  secret?: string;
};

/** A proof as it was before there were attempts: it cannot show that somebody's secret was left out. */
export type FirstProof = {
  version: "ultimo-fair-1";
  table: string;
  deal: number;
  dealing: number;
  commitment: string;
  secret: string;
  players: readonly Share[];
};

/** How the first dealer came about: by lot, by cards that were drawn, or set by the table. */
export type FirstDealer = {
  dealer: number;
  cards: readonly string[];
  proof: Proof | FirstProof | null;
  isSet: boolean;
};

/** Who got the rest of the cups when the session ended, and how that was drawn. */
export type CupsRest = {
  seat: number;
  proof: Proof | FirstProof | null;
};

/** All that is needed to check the cards of a closed deal; a redeal makes a second dealing. */
export type FairDeal = {
  rules: string;
  house: Record<string, unknown>;
  dealer: number;
  dealing: DealingOrder;
  shuffles: readonly Shuffled[];
  first: FirstDealer | null;
  rest: CupsRest | null;
  digest: string;
};

/** An action that was tried, and what it brings on average; nothing is known of one that was not tried. */
export type CandidateShown = {
  label: string;
  cards: readonly string[];
  action: Action;
  points: number | null;
  error: number | null;
  samples: number;
  standing: "best" | "equal" | "worse";
};

/** A key card that somebody else has, and the chance of every place that it is there. */
export type HiddenShown = {
  card: string;
  name: string;
  chances: readonly number[];
};

/** The answer to: why not this one? */
export type AgainstShown = {
  label: string;
  cards: readonly string[];
  loses: number | null;
  error: number | null;
  sentences: readonly string[];
};

/** What to do now, and why. */
export type HintShown = {
  action: Action;
  cards: readonly string[];
  label: string;
  why: readonly string[];
  dangers: readonly string[];
  candidates: readonly CandidateShown[];
  hidden: readonly HiddenShown[];
  seats: readonly string[];
  against: AgainstShown | null;
};

/** Something that somebody does in a line of play. */
export type LineStep = {
  seat: number;
  name: string;
  label: string;
  cards: readonly string[];
  trick: number | null;
};

/** What could have been done, and what it would have been worth. */
export type OptionShown = {
  label: string;
  cards: readonly string[];
  action: Action;
  points: number;
  behind: number;
  error: number;
  open: number | null;
  chosen: boolean;
  grade: Grade;
  standing: "best" | "equal" | "worse";
};

/** A lesson of the school: its name and what it is called. */
export type LessonLink = {
  name: string;
  title: string;
};

/** A decision of a deal with what is thought of it; frame `step` of the replay shows what followed. */
export type DecisionShown = {
  at: number;
  step: number;
  seat: number;
  trick: number | null;
  question: string;
  label: string;
  cards: readonly string[];
  action: Action;
  grade: Grade;
  gradeWord: string;
  loss: number;
  error: number;
  openLoss: number | null;
  proven: boolean;
  words: readonly string[];
  principle: string;
  options: readonly OptionShown[];
  line: readonly LineStep[];
  played: readonly LineStep[];
  lesson: LessonLink | null;
};

/** What a seat got, how much of it was luck, and where it lost most: `worst` are places of decisions. */
export type ReviewedSeat = {
  seat: number;
  name: string;
  plays: boolean;
  result: number;
  luck: number;
  play: number;
  lost: number;
  worst: readonly number[];
  grades: Record<string, number>;
  sentences: readonly string[];
};

/** From so many points on a loss is called so. */
export type ThresholdsShown = {
  slip: number;
  mistake: number;
  blunder: number;
};

/** A deal reviewed; `graph` is what every seat could expect before each decision, then what they got. */
export type ReviewShown = {
  deal: number;
  title: string;
  family: "danish" | "french";
  seats: readonly ReviewedSeat[];
  decisions: readonly DecisionShown[];
  graph: readonly (readonly number[])[];
  thresholds: ThresholdsShown;
  note: string;
};

/** Something that may be done on the analysis board. */
export type ActionShown = {
  action: Action;
  label: string;
  cards: readonly string[];
};

/** A question that can be asked about a position. */
export type GoalShown = {
  id: string;
  label: string;
};

/** A seat of the analysis board: its letter in the text of a position, and its name. */
export type BoardSeat = {
  seat: number;
  letter: string;
  name: string;
};

/** What an action is worth with open cards; `points` are those of every seat, where they are known. */
export type ValueShown = {
  action: Action;
  label: string;
  cards: readonly string[];
  value: number;
  points: readonly number[] | null;
  best: boolean;
  least: number | null;
  most: number | null;
};

/** What the solver has found so far; the last one is `finished`. */
export type SolvedShown = {
  finished: boolean;
  exact: boolean;
  nodes: number;
  seconds: number;
  depth: number;
  values: readonly ValueShown[];
  line: readonly LineStep[];
  verdict: string;
  forced: readonly string[];
};

/** A position on the board, what has been played on it, and what may be done and asked. */
export type BoardShown = {
  text: string;
  here: string;
  scene: Scene;
  turn: number | null;
  over: boolean;
  actions: readonly ActionShown[];
  played: readonly LineStep[];
  seats: readonly BoardSeat[];
  goals: readonly GoalShown[];
};

/** A puzzle after some moves: its board, the scenes since the last move, and what came of it. */
export type PuzzleTold = {
  puzzle: PuzzleShown;
  board: BoardShown;
  frames: readonly Scene[];
  reply: ReplyShown;
};

/** What is known of a puzzle before it is solved. */
export type PuzzleShown = {
  id: string;
  rules: string;
  family: "danish" | "french";
  theme: "bagud" | "demand" | "king" | "name" | "nolo" | "pagat" | "save" | "stop" | "two" | "contract" | "excuse" | "petit" | "petitBout" | "slam";
  title: string;
  tricks: number;
  rating: number;
  seats: readonly number[];
  side: string;
  goal: string;
};

/** What came of some moves: what may be done next, or what is said now that it is over. */
export type ReplyShown = {
  state: "failed" | "open" | "solved";
  told: readonly string[];
  question: string;
  actions: readonly ActionShown[];
  line: readonly LineStep[];
  refutation: readonly LineStep[];
};

/** The table after something has happened, and what that was. */
export type GuideFrame = {
  scene: Scene;
  story: readonly Happening[];
};

/** A payment of the deal: what the learner has got or paid by it, how it was worked out, and why. */
export type LineShown = {
  label: string;
  points: number;
  how: readonly string[];
  why: string;
};

/** A step of a guided deal: what is told and asked, and how the table has come to it, frame by frame. */
export type FirstShown = {
  name: "danish" | "french";
  title: string;
  step: number;
  steps: number;
  made: number;
  kind: "do" | "end" | "on" | "tell";
  text: string;
  rows: readonly CardRow[];
  action: Action | null;
  touch: readonly string[];
  either: readonly string[];
  frames: readonly GuideFrame[];
  lines: readonly LineShown[];
};

/** Begin a score sheet. */
export type OpenSheet = {
  rules: string;
  names: readonly string[];
  dealer?: number;
  house?: Record<string, unknown>;
};

/** Something to be written; who writes it, and when, the server knows itself. */
export type SheetWish = {
  type: "SheetWish";
};

/** Write a deal down. */
export type BookDeal = {
  type: "BookDeal";
  entry: DanishDeal | FrenchDeal;
};

/** A Danish deal as it is written down; a deal without a winner was scrapped. */
export type DanishDeal = {
  game: "danish";
  antes?: number;
  declarations?: Record<string, readonly Declaration[]>;
  announcements?: readonly Announced[];
  kings_lost?: readonly LostKing[];
  pagat_fate?: PagatFate | null;
  captured?: readonly Captured[];
  given_back?: readonly GivenBack[];
  fines?: readonly Fined[];
  true_declarations?: Record<string, readonly Declaration[]>;
  let_pass?: readonly number[];
  banned?: readonly number[];
  barren?: readonly number[];
  charged?: number | null;
  winner?: number | null;
  won_with?: string | null;
  fallen?: readonly CardPlayed[];
  nolo?: readonly number[];
  tout?: boolean;
  counts?: Record<string, number>;
};

/** A seat has announced nolo, tout or a slam before this trick. */
export type Announced = {
  type: "Announced";
  seat: number;
  kind: "nolo" | "slam" | "tout";
  before?: number;
};

/** A king fell before the last trick without winning it. */
export type LostKing = {
  seat: number;
  card: string;
};

/** The pagat fell before the last trick: whose it was, and whether it took the trick. */
export type PagatFate = {
  seat: number;
  home: boolean;
};

/** A king or the pagat that a player has taken by a mistake: it goes back, with what it had cost. */
export type Captured = {
  by: number;
  card: string;
};

/** A wrongly captured card has gone back, and its captor pays what it had cost its owner. */
export type GivenBack = {
  by: number;
  to: number;
  card: string;
  points: number;
};

/** An offence that has been fined; what was received wrongly from each opponent goes back. */
export type Fined = {
  seat: number;
  offence: "cupsNotMoved" | "earlyDecl" | "misdeal" | "missingDecl" | "outOfTurn" | "revoke" | "wrongCards" | "wrongDecl" | "wrongDemand" | "wrongSkat";
  overpaid: number;
  false_ten: boolean;
};

/** A card falls; a led skus is named. */
export type CardPlayed = {
  type: "CardPlayed";
  seat: number;
  card: string;
  named?: Suit | null;
};

/** A French deal as it is written down. Without a taker nobody played: all passed, or a petit was bare. */
export type FrenchDeal = {
  game: "french";
  taker?: number | null;
  bid?: string;
  partner?: number | null;
  half_points?: number;
  counted?: "defence" | "taker";
  bouts?: number;
  petit_au_bout?: "defence" | "taker" | null;
  poignees?: readonly (readonly ["defence" | "taker", number])[];
  slam_announced?: "defence" | "taker" | null;
  slam_made?: "defence" | "taker" | null;
  fault?: "defence" | "taker" | null;
};

/** Write an earlier deal anew. */
export type CorrectDeal = {
  type: "CorrectDeal";
  deal: number;
  entry: DanishDeal | FrenchDeal;
};

/** Take the last booking or correction back. */
export type UndoDeal = {
  type: "UndoDeal";
};

/** Put a note beside a deal, or with 0 beside the evening. */
export type NoteDeal = {
  type: "NoteDeal";
  deal: number;
  text: string;
};

/** End the evening; `lot` gets the rest of the cups where it is drawn for. */
export type CloseSheet = {
  type: "CloseSheet";
  lot?: number;
};

/** Go on after all. */
export type ReopenSheet = {
  type: "ReopenSheet";
};

/** Write something behind what one has seen last; the same command is obeyed once. */
export type WriteSheet = {
  cmd: string;
  base: number;
  wish: BookDeal | CorrectDeal | UndoDeal | NoteDeal | CloseSheet | ReopenSheet;
};

/** Ask what an entry would pay: as the next deal, or in the place of another. */
export type PreviewDeal = {
  entry: DanishDeal | FrenchDeal;
  deal?: number | null;
};

/** Take the pen with a secret, take it back as host, or with neither ask for a secret to hand it over. */
export type AskPen = {
  secret?: string;
  takeBack?: boolean;
};

/** Make a sheet of a log that was kept. */
export type ReadSheet = {
  log: string;
};

/** Bring the log of a sheet that was kept on a device, whose person has this name. */
export type BringSheet = {
  log: string;
  name: string;
  known?: boolean;
};

/** The sheet that has been begun. */
export type SheetMade = {
  id: string;
};

/** Where something has been written. */
export type SheetWritten = {
  seq: number;
};

/** The place of a sheet in the account, and how much is written there. */
export type SheetBrought = {
  id: string;
  seq: number;
};

/** The sheet on the device and the one in the account have both been written on: nothing was written now. */
export type SheetsDiffer = {
  error: string;
  id: string;
  same: number;
  there: number;
  here: number;
};

/** A sheet in a list; `device` is the id that it has on the device from which it was brought. */
export type SheetLine = {
  id: string;
  title: string;
  rules: string;
  names: readonly string[];
  deals: number;
  closed: boolean;
  at: number;
  device: string;
};

/** Something that was written: what, by whom, when, and about which deal (0: the evening). */
export type TrailLine = {
  seq: number;
  kind: "booked" | "closed" | "corrected" | "noted" | "opened" | "pen" | "reopened" | "undone";
  by: string;
  at: number;
  deal: number;
  text: string;
  fromFile: boolean;
};

/** Others have written since: nothing was written now, and this is the news. */
export type SheetBehind = {
  error: string;
  seq: number;
  news: readonly TrailLine[];
};

/** Who deals and who plays: forehand first, the dealer last. */
export type SheetPlaces = {
  dealer: number;
  order: readonly number[];
};

/** A deal as it stands, what it paid, and by whom and when it was corrected. */
export type SheetDeal = {
  number: number;
  dealer: number;
  order: readonly number[];
  entry: DanishDeal | FrenchDeal;
  payments: readonly string[];
  gains: readonly number[];
  totals: readonly number[];
  cups: Record<string, number>;
  note: string;
  corrected: TrailLine | null;
  void: boolean;
};

/** Something that can be chosen, and its words. */
export type BidChoice = {
  id: string;
  label: string;
};

/** What may be announced before a trick. */
export type Announceable = {
  kind: "nolo" | "tout";
  before: number;
  label: string;
};

/** A poignée of so many trumps. */
export type PoigneeChoice = {
  size: number;
  label: string;
};

/** A mistake for which the book has a fine: what it costs, its rule, and what has to be asked about it. */
export type MistakeChoice = {
  offence: "cupsNotMoved" | "earlyDecl" | "misdeal" | "missingDecl" | "outOfTurn" | "revoke" | "wrongCards" | "wrongDecl" | "wrongDemand" | "wrongSkat";
  label: string;
  price: string;
  rule: string;
  by: "anybody" | "dealer" | "declarer";
  asks: readonly ("captured" | "goesOn" | "helped" | "nine" | "true")[];
  ends: boolean;
  ante: boolean;
  passes: boolean;
};

/** What the book lets one write: declarations, announcements and mistakes, or bids and poignées. */
export type SheetBook = {
  slots: readonly SlotShown[];
  announcements: readonly Announceable[];
  balances: number;
  lots: boolean;
  mistakes: readonly MistakeChoice[];
  falseTen: Declaration | null;
  bids: readonly BidChoice[];
  poignees: readonly PoigneeChoice[];
  partner: boolean;
  slamByDefence: boolean;
  dealsAgain: boolean;
  fault: boolean;
};

/** The club's evening at which a sheet is kept, and what the club calls its rules. */
export type SheetOrigin = {
  club: string;
  rules: string;
  day: string;
  round: number;
  table: number;
};

/** A score sheet as somebody sees it. */
export type SheetShown = {
  id: string;
  seq: number;
  begun: number;
  title: string;
  rules: string;
  family: "danish" | "french";
  house: number;
  names: readonly string[];
  coming: readonly SheetPlaces[];
  due: readonly string[];
  cups: readonly CupShown[];
  totals: readonly number[];
  deals: readonly SheetDeal[];
  note: string;
  closed: boolean;
  division: readonly string[];
  hasPen: boolean;
  isHost: boolean;
  writer: string;
  mayUndo: boolean;
  book: SheetBook;
  trail: readonly TrailLine[];
  club: string;
  earlier: boolean;
  scores: boolean;
  mayDelete: boolean;
  origin: SheetOrigin | null;
};

/** What an entry would pay behind so much that is written; or why it cannot have been, and which part. */
export type SheetPreview = {
  seq: number;
  gains: readonly number[];
  payments: readonly string[];
  cups: Record<string, number>;
  void: boolean;
  error: string;
  field: string;
};

/** Whoever knows this may take the pen, once and until then. */
export type PenSecret = {
  secret: string;
  until: number;
};

/** How much is written. */
export type SheetNews = {
  seq: number;
};

/** Money from one player to another, in the smallest coin. */
export type CoinPayment = {
  payer: number;
  payee: number;
  coins: number;
};

/** What somebody has won or lost in chips, by their value, and what is left over. */
export type ChipPile = {
  chips: Record<string, number>;
  rest: number;
};

/** An evening in money: what everybody gets or pays, who pays whom, and the totals in chips. */
export type SheetMoney = {
  coins: readonly number[];
  payments: readonly CoinPayment[];
  chips: readonly ChipPile[];
};

/** Found a club; whoever does is its first member, `me`, and its secretary. */
export type FoundClub = {
  name: string;
  rules?: string;
  house?: Record<string, unknown>;
  me?: string | null;
  language?: Language | null;
};

/** Make a club of an exported file; whoever reads it is the member `member`, and secretary. */
export type ReadClub = {
  file: string;
  member?: string;
};

/** Something to be written in the club's log; who writes it, and when, the server knows itself. */
export type ClubWish = {
  type: "ClubWish";
};

/** Write something; `base` is the `seq` that one has seen. The same command is obeyed once. */
export type WriteClub = {
  cmd: string;
  base: number;
  wish: AnyClubWish;
};

/** Draw who sits where for so many rounds; nothing is written until `KeepTables`. */
export type DrawTables = {
  rounds: number;
  sizes?: readonly number[];
  tables?: number | null;
  kept?: number;
  apart?: readonly (readonly [string, string])[];
  mixed?: boolean;
  seed?: string;
};

/** Begin the score sheet of a table: by default who was drawn there, by the club's rules. */
export type OpenClubSheet = {
  round?: number;
  table?: number;
  seats?: readonly string[];
  dealer?: number;
  rules?: string;
};

/** Count the sheets of the evening and close it. */
export type CloseEvening = {
  anyway?: boolean;
  divide?: boolean;
};

/** Count a session at a table of this server, for the members whose accounts played there. */
export type CountOnline = {
  table: string;
};

/** Make an invitation: for one `member` on the list, or (without) for anybody who has the link. */
export type InviteMember = {
  member?: string;
  role?: "member" | "scorer" | "secretary";
  days?: number;
  uses?: number;
};

/** Ask what an invitation is for. */
export type ReadInvitation = {
  secret: string;
};

/** Accept an invitation: as a member on the list, or as somebody new with a name. */
export type JoinClub = {
  secret: string;
  member?: string;
  name?: string | null;
};

/** Read results of the past, `date,member,points[,deals]` in each line; with `check` nothing is written. */
export type ImportResults = {
  text: string;
  season?: string;
  name?: string;
  add?: boolean;
  check?: boolean;
};

/** The club that has been founded, read or joined. */
export type ClubMade = {
  id: string;
};

/** Where something has been written, and the ids it got: of new members, a season, an evening. */
export type ClubWritten = {
  seq: number;
  made: readonly string[];
};

/** Somebody else has written about the same: nothing was written now. Look first, then write again. */
export type ClubBehind = {
  error: string;
  seq: number;
};

/** How much is written. */
export type ClubNews = {
  seq: number;
};

/** A club in the list of one's own. */
export type ClubLine = {
  id: string;
  name: string;
  role: "member" | "scorer" | "secretary";
  members: number;
  at: number;
};

/** How a season is won, and that in words. */
export type ScoringShown = {
  by: "best" | "mean" | "total";
  best: number;
  least: number;
  label: string;
};

/** Somebody on the list; `linked`: with an account, `asks`: to be a secretary. */
export type MemberLine = {
  id: string;
  name: string;
  role: "member" | "scorer" | "secretary";
  linked: boolean;
  left: boolean;
  asks: boolean;
};

/** A season in a list. */
export type SeasonLine = {
  id: string;
  name: string;
  closed: boolean;
  evenings: number;
  scoring: ScoringShown;
};

/** An evening in a list: how many people are there, guests too; `best` won it. */
export type EveningLine = {
  id: string;
  day: string;
  season: string;
  closed: boolean;
  people: number;
  tables: number;
  deals: number;
  best: string;
  bestPoints: number;
};

/** A place in the standings; 0 for whoever came to too few evenings. Ties share a place. */
export type StandingLine = {
  place: number;
  member: string;
  name: string;
  score: number;
  total: number;
  evenings: number;
  counted: number;
  deals: number;
  mean: number;
  perDeal: number;
  won: number;
};

/** A recovery link that was used: whose, and when. */
export type RecoveryLine = {
  name: string;
  at: number;
};

/** Something that happened in the club, in a sentence; `own` was written by somebody. */
export type ChronicleLine = {
  seq: number;
  at: number;
  day: string;
  evening: string;
  text: string;
  own: boolean;
  by: string;
};

/** A club as somebody sees it; a stranger sees the name and the standings, if the club is public. */
export type ClubShown = {
  id: string;
  seq: number;
  name: string;
  role: "" | "member" | "scorer" | "secretary";
  me: string;
  language: Language;
  public: boolean;
  title: string;
  rules: string;
  rulesName: string;
  family: "danish" | "french";
  sizes: readonly number[];
  house: Record<string, unknown>;
  online: boolean;
  scoring: ScoringShown;
  season: string;
  standings: readonly StandingLine[];
  members: readonly MemberLine[];
  seasons: readonly SeasonLine[];
  evenings: readonly EveningLine[];
  chronicle: readonly ChronicleLine[];
  recovered: readonly RecoveryLine[];
};

/** A member through a season: what each evening brought (null: was not there), and the sums. */
export type ChartLine = {
  member: string;
  name: string;
  points: readonly (number | null)[];
  totals: readonly number[];
};

/** A record: what it is, whose, how much, and when; several have it if it is shared. */
export type RecordLine = {
  kind: string;
  label: string;
  value: number;
  members: readonly string[];
  names: readonly string[];
  evening: string;
  day: string;
};

/** What is counted of a member, in words. */
export type TallyLine = {
  key: string;
  label: string;
  value: number;
  of: number | null;
};

/** A season: standings, how it went, records, and what members did (for those who may see it). */
export type SeasonShown = {
  id: string;
  name: string;
  closed: boolean;
  scoring: ScoringShown;
  evenings: readonly EveningLine[];
  standings: readonly StandingLine[];
  charts: readonly ChartLine[];
  records: readonly RecordLine[];
  tallies: Record<string, readonly TallyLine[]>;
};

/** A member in a season. */
export type MemberSeason = {
  season: string;
  name: string;
  standing: StandingLine;
  points: readonly (number | null)[];
};

/** A member: what they did in all seasons, and in each. */
export type MemberShown = {
  member: MemberLine;
  tallies: readonly TallyLine[];
  seasons: readonly MemberSeason[];
};

/** A score sheet of an evening: where, who sits there, and how it stands. */
export type ClubSheet = {
  sheet: string;
  round: number;
  table: number;
  seats: readonly string[];
  names: readonly string[];
  deals: number;
  closed: boolean;
  counted: boolean;
  totals: readonly number[];
};

/** What was counted of a source: a sheet, an online table, or `import`. */
export type CountLine = {
  source: string;
  kind: "import" | "online" | "sheet";
  points: Record<string, number>;
  deals: number;
};

/** An evening: who is there, who sits where, the sheets, and what it came to. */
export type EveningShown = {
  id: string;
  day: string;
  season: string;
  closed: boolean;
  seq: number;
  members: readonly string[];
  guests: Record<string, string>;
  late: Record<string, number>;
  leaving: Record<string, number>;
  rounds: readonly (readonly (readonly string[])[])[];
  seed: string;
  names: Record<string, string>;
  sheets: readonly ClubSheet[];
  counts: readonly CountLine[];
  results: readonly StandingLine[];
  chronicle: readonly ChronicleLine[];
};

/** A draw: `repeats` times two people meet again, where `bound` could not be avoided by any draw. */
export type TablesDrawn = {
  rounds: readonly (readonly (readonly string[])[])[];
  seed: string;
  repeats: number;
  bound: number;
};

/** The club's rules beside the book they follow: `sentenceA` is the club's, `sentenceB` the book's. */
export type ClubRules = {
  name: string;
  rules: string;
  title: string;
  family: "danish" | "french";
  house: Record<string, unknown>;
  differences: readonly Differs[];
};

/** Whoever has the secret may join, until then. */
export type InvitationMade = {
  id: string;
  secret: string;
  until: number;
};

/** An invitation that still works. */
export type InvitationLine = {
  id: string;
  member: string;
  name: string;
  role: "member" | "recovery" | "scorer" | "secretary";
  until: number;
  uses: number;
};

/** A member whom somebody with an invitation may be. */
export type Joinable = {
  id: string;
  name: string;
};

/** What an invitation is for; `member` is fixed, or one of `members`, or somebody new. */
export type InvitationShown = {
  club: string;
  name: string;
  role: "member" | "recovery" | "scorer" | "secretary";
  member: string;
  members: readonly Joinable[];
  joined: boolean;
  until: number;
};

/** What is wrong with a line of an import. */
export type ImportFault = {
  line: number;
  error: string;
  text: string;
};

/** What an import comes to: what is wrong, whom the club does not know, and what would be written. */
export type ImportShown = {
  errors: readonly ImportFault[];
  unknown: readonly string[];
  evenings: number;
  lines: number;
  points: number;
  season: string;
  seq: number;
};

/** Announce a tournament; `club` holds it, if it is not a person's. */
export type BeginTournament = {
  name: string;
  rules: string;
  rounds: number;
  deals: number;
  kind?: "duplicate" | "individual" | "quadrette" | "triplette";
  house?: Record<string, unknown>;
  sizes?: readonly number[];
  compare?: "perDeal" | "points";
  clubs?: "mean" | "sum";
  ties?: "bestRound" | "lastRound" | "shared";
  marks?: "mean" | "percent";
  divided?: boolean;
  apart?: boolean;
  club?: string;
};

/** Something to be written; who writes it, and when, the server knows itself. */
export type TournamentWish = {
  type: "TournamentWish";
};

/** Write something behind what one has seen last; the same command is obeyed once. */
export type WriteTournament = {
  cmd: string;
  base: number;
  wish: AnyTournamentWish;
};

/** Open a score sheet for a table. */
export type OpenTableSheet = {
  round: number;
  table: number;
};

/** Ask for a secret that makes scorers, or become one with it. */
export type AskScoring = {
  secret?: string;
};

/** Ask for the position of a board after these cards have been laid. */
export type AskPosition = {
  laid: readonly string[];
};

/** A tournament as a federation holds it, to begin from. */
export type PresetShown = {
  id: string;
  rules: string;
  family: "danish" | "french";
  kind: "duplicate" | "individual" | "quadrette" | "triplette";
  rounds: number;
  deals: number;
  sizes: readonly number[];
};

/** The tournament that has been begun. */
export type TournamentMade = {
  id: string;
};

/** Where something has been written. */
export type TournamentWritten = {
  seq: number;
};

/** How much is written. */
export type TournamentNews = {
  seq: number;
};

/** Something that was written: what, by whom, when, and about which round, table or participant. */
export type TournamentTrail = {
  seq: number;
  kind: string;
  by: string;
  at: number;
  round: number;
  table: number;
  who: number;
  text: string;
  figures: readonly (number | null)[];
  before: readonly (number | null)[];
};

/** Others have written about the same since: nothing was written now, and this is the news. */
export type TournamentBehind = {
  error: string;
  seq: number;
  news: readonly TournamentTrail[];
  stands: readonly (number | null)[];
  sent: readonly (number | null)[];
};

/** A tournament in a list. */
export type TournamentLine = {
  id: string;
  name: string;
  title: string;
  kind: "duplicate" | "individual" | "quadrette" | "triplette";
  people: number;
  public: boolean;
  closed: boolean;
  at: number;
};

/** A participant: the first round they no longer play, and who plays for them now. */
export type EntrantShown = {
  id: number;
  name: string;
  team: string;
  club: string;
  left: number;
  standIn: string;
};

/** A table of a round: who sits there by seat, and what it brought in. */
export type TournamentTable = {
  number: number;
  people: readonly number[];
  names: readonly string[];
  planned: number;
  reported: boolean;
  amended: boolean;
  points: readonly number[];
  boards: readonly (readonly number[])[];
  deals: number;
  cups: number;
  figures: readonly (number | null)[];
  sheet: string;
};

/** A round. */
export type TournamentRound = {
  number: number;
  closed: boolean;
  tables: readonly TournamentTable[];
  idle: readonly number[];
};

/** A line of the results. */
export type TournamentStanding = {
  place: number;
  name: string;
  who: readonly number[];
  score: number;
  rounds: readonly (number | null)[];
  penalty: number;
};

/** What a table made of a board. */
export type BoardTable = {
  table: number;
  people: readonly number[];
  points: readonly number[];
  marks: readonly number[];
};

/** A board: who deals, who takes where that is given, and what the tables made of it. */
export type TournamentBoard = {
  number: number;
  round: number;
  dealer: number;
  taker: number | null;
  tables: readonly BoardTable[];
};

/** Somebody who may write results. */
export type ScorerShown = {
  id: string;
  name: string;
};

/** A tournament as somebody sees it. */
export type TournamentShown = {
  id: string;
  seq: number;
  name: string;
  title: string;
  rules: string;
  family: "danish" | "french";
  house: number;
  counting: boolean;
  cups: boolean;
  kind: "duplicate" | "individual" | "quadrette" | "triplette";
  rounds: number;
  deals: number;
  sizes: readonly number[];
  compare: "perDeal" | "points";
  clubs: "mean" | "sum";
  ties: "bestRound" | "lastRound" | "shared";
  marks: "match" | "mean" | "perDeal" | "percent" | "points";
  seats: readonly string[];
  role: "organiser" | "scorer" | "";
  public: boolean;
  closed: boolean;
  roundsClosed: number;
  people: readonly EntrantShown[];
  plan: readonly TournamentRound[];
  byPerson: readonly TournamentStanding[];
  byTeam: readonly TournamentStanding[];
  byClub: readonly TournamentStanding[];
  boards: readonly TournamentBoard[];
  scorers: readonly ScorerShown[];
  trail: readonly TournamentTrail[];
};

/** Tables for rounds that have none with results yet, by their number. */
export type TablesProposed = {
  rounds: Record<string, readonly (readonly number[])[]>;
};

/** Whoever knows this may become a scorer until then. */
export type ScoringSecret = {
  secret: string;
  until: number;
};

/** The hands of a board by seat, each in the order in which a player holds it. */
export type BoardHands = {
  number: number;
  seats: readonly string[];
  dealer: number;
  taker: number | null;
  hands: readonly (readonly string[])[];
  chien: readonly string[];
  lays: number;
  laid: number;
};

/** A position as text. */
export type BoardPosition = {
  text: string;
};
