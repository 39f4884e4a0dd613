// Generated from the house's description of its API and its socket: see web/README.md.

/** What can be asked. */
export type Action = ({
  /** How much. */
  "amount": Cents;
  "do": "bring-money";
} | {
  /** How much. */
  "amount": Cents;
  "do": "take-money";
} | {
  "do": "sit";
  /** Where. */
  "position": Position;
} | {
  "do": "leave";
  /** From where. */
  "position": Position;
} | {
  "do": "open-round";
} | {
  "do": "take-bank";
  /** What the house is to wager against it, where it plays too. */
  "house-wager"?: Cents;
  /** What is put up. */
  "put-up": Cents;
} | {
  "do": "decline-bank";
} | {
  /** How much. */
  "amount": Cents;
  "do": "place";
  /** For whom, where staff place it for a player. */
  "person"?: (Person | null);
  /** Where. */
  "position": Position;
  /** On which bet. */
  "wager": Wager;
} | {
  "do": "withdraw";
  /** Where. */
  "position": Position;
  /** From which bet. */
  "wager": Wager;
} | {
  "do": "close-bets";
} | {
  /** The shuffled deck: the table draws no chance. */
  "deck": Cards;
  "do": "deal";
  /** The number that was drawn, where one is. */
  "number"?: number;
} | {
  "do": "view";
  /** Where. */
  "position": Position;
} | {
  "do": "set";
  /** The two cards that go Low. */
  "low": Cards;
  /** Where. */
  "position": Position;
} | {
  "do": "set-house-way";
  /** Where. */
  "position": Position;
} | {
  "do": "ask-house-way";
  /** Where. */
  "position": Position;
} | {
  "do": "reveal";
  /** The two cards that the dealer put Low; nothing has it set by the sheet. */
  "low"?: (Cards | null);
} | {
  "do": "set-banker";
  /** The two cards that go Low. */
  "low": Cards;
} | {
  "do": "concede";
  /** Where. */
  "position": Position;
} | {
  "do": "settle";
} | {
  "do": "time-up";
} | Call & {
  "do": "call";
} | {
  "do": "resume";
} | {
  "do": "withdraw-all";
} | {
  "do": "restrict";
  /** Whom. */
  "person": Person;
  /** Why. */
  "reason": string;
} | {
  "do": "rule";
  /** Why. */
  "reason": string;
  /** How. */
  "ruling": Ruling;
});

/** Someone in a role. */
export type Actor = {
  /** Who. */
  "person": Person;
  /** As what. */
  "role": Role;
};

/** Every legal setting of a hand, the best first. */
export type Advice = {
  /** How many hands of the banker are possible. */
  "deals": number;
  /** The settings. */
  "settings": (Advised)[];
};

/** A setting and what it is worth. */
export type Advised = {
  /** Whether it is the House Way. */
  "house-way": boolean;
  /** Against so many it loses. */
  "lose": number;
  /** Against so many it pushes. */
  "push": number;
  /** The setting. */
  "setting": Set;
  /** What it is worth for each dollar wagered. */
  "value": number;
  /** Against so many hands of the banker it wins. */
  "win": number;
};

/** Every card of a round. */
export type AllCards = {
  /** Each hand, in the order of dealing. */
  "hands": ([Spot, (Card)[]])[];
  /** The cards left over. */
  "left-over": (Card)[];
};

/** How it was answered. */
export type Answer = {
  /** The answer. */
  "answer": Answered;
  /** Where the table's log stood afterwards. */
  "version": number;
};

/** How a command was answered. */
export type Answered = ({
  "answer": "done";
} | {
  "answer": "refused";
  /** By which clause, where one says so. */
  "clause"?: string | null;
  /** What is wrong, in a word. */
  "refused": string;
  /** In a sentence. */
  "says": string;
});

/** What someone asks of a table. */
export type Ask = (HouseAsk | Action);

/** Who holds the bank in a round. */
export type Bank = ({
  "banker": "house";
} | {
  "banker": "player";
  /** What the house wagers against them, at most; nothing where it does not play. */
  "house-wager": Cents;
  /** Who they are. */
  "person": Person;
  /** Where they sit. */
  "position": Position;
  /** What they put up. */
  "put-up": Cents;
});

/** The chance of results from one number of units up to another. */
export type Bar = {
  /** How likely. */
  "chance": number;
  /** From so many units. */
  "from": number;
  /** Below so many. */
  "to": number;
};

/** What can happen beside the game. */
export type Beside = ("opened" | "committed" | "said" | "ready" | "resumed" | "closed" | "reopened");

/** One bet over many rounds. What returns is what a wager of 1 comes back as on average. */
export type BetLine = {
  /** What returned of the wagers, commission taken; for wagers of players alone. */
  "actual-return"?: number | null;
  /** What of it went back. */
  "back": number;
  /** The same for a player who sets every hand best, where setting matters. */
  "best-return"?: number | null;
  /** `standard`, `fortune`, `tiger-nine`, `envy`, `house-wager`, `bank`, `fee` or `correction`. */
  "bet": string;
  /** The commission on it. */
  "commission": number;
  /** What was paid beside it. */
  "paid": number;
  /** How often someone had part in it. */
  "shares": number;
  /** The standard error of the actual return if every wager were decided by itself. Hands at one table meet the same banker, so in truth it is somewhat more. */
  "standard-error"?: number | null;
  /** What was taken of it. */
  "taken": number;
  /** What returns by the exact odds, for a player who sets the House Way. Nothing where the odds are not known: for rulebook files, and for Envy, which depends on who else plays. */
  "theoretical-return"?: number | null;
  /** What was wagered. */
  "wagered": number;
};

/** Hands of the same ranks that are worth more set otherwise than the House Way. */
export type Better = {
  /** One of them. */
  "cards": (Card)[];
  /** The clause that sets them. */
  "clause": string;
  /** What is gained on one such hand, of each dollar. */
  "gain": number;
  /** So many hands. */
  "hands": number;
  /** What goes Low by the House Way. */
  "low": (Card)[];
  /** What had better go Low. */
  "other-low": (Card)[];
};

/** A hand that the Fortune Bonus pays. */
export type BonusHand = "straight" | "three-of-a-kind" | "flush" | "full-house" | "four-of-a-kind" | "straight-flush" | "royal-flush" | "five-aces" | "seven-card-straight-flush-joker" | "royal-match" | "seven-card-straight-flush";

/** Whether the books are right. */
export type Books = {
  /** Accounts whose balance is not the sum of what moved, and rounds that are kept where no log tells of one: none, or a person has to look. */
  "differences": (string)[];
};

/** The Fortune Bonus with so many others at the table. */
export type ByOthers = {
  /** What Envy brings on average, in dollars a round. */
  "brings": number;
  /** What the house keeps of each dollar of the bonus wager. */
  "edge": number;
  /** So many others. */
  "others": number;
  /** The standard wager, in dollars, from which the waived commission pays for the bonus wager. */
  "pays-from"?: number | null;
};

/** 32 bytes: a hash, a salt, a commitment. The text form is 64 lower-case hexadecimal digits. */
export type Bytes32 = string;

/** An irregularity as it is called. */
export type Call = {
  /** How the cards can be put right, where they can. */
  "repair"?: (Repair | null);
  /** Whose hand, where it is about one. */
  "spot"?: (Spot | null);
  /** What happened. */
  "what": Incident;
};

/** Rank and suit, such as Ah, Td or 2c; the joker is Jk. */
export type Card = symbol;

/** Cards, none twice. */
export type Cards = (Card)[];

/** Whole cents. */
export type Cents = number;

/** A choice of a house. */
export type Choice = {
  /** About what. */
  "about": string;
  /** By which clauses. */
  "clauses": string;
  /** What it is. */
  "is": string;
  /** The part of the game it belongs to: table, wagers, pay-table, bonuses, settlement, mishaps. */
  "part": string;
};

/** A clause with our sentence for it. */
export type CitedClause = {
  /** Its printed id. */
  "clause": string;
  /** What it says; nothing where it has no sentence. */
  "says"?: string | null;
};

/** A clause. */
export type Clause = {
  /** Its id. */
  "id": string;
  /** What it says. */
  "says": string;
};

/** Someone has come in. */
export type Come = {
  /** What to show from now on where there are no cookies: `Authorization: Bearer …`. */
  "token": string;
  /** Who they are. */
  "you": Me;
};

/** Something asked of a table. */
export type Command = {
  /** What. */
  "command": Ask;
  /** The command's own name. Sent again under it, a command is answered again and not done again. */
  "id": string;
};

/** A name and a password. */
export type Credentials = {
  /** The name. */
  "name": string;
  /** The password, of at least 8 characters. */
  "password": string;
};

/** Where a deck is cut. */
export type Cut = {
  /** The hash of the words, which is published at "no more bets". */
  "digest": Bytes32;
  /** How many cards go from the top of the deck to the bottom. */
  "places": number;
};

/** Which deal it is. */
export type Deal = {
  /** The number is drawn from 1 to this. It is 1 where a house draws none. */
  "highest": number;
  /** Which round of the table. */
  "round": number;
  /** The table's name. */
  "table": string;
};

/** With what the cards are dealt. */
export type Device = "machine" | "manual";

/** A seed that was given away on purpose: it is written in proofs, and still not in logs. */
export type Disclosed = Bytes32;

/** Nothing more to say. */
export type Done = {
  /** It was done. */
  "done": boolean;
};

/** What can be done for someone. */
export type DoneForThem = ("set" | "declined-bank");

/** A question with its answer. */
export type Drill = {
  /** The seven cards. */
  "cards": (Card)[];
  /** What kind of question. */
  "kind": DrillKind;
  /** The other house's answer, where two are asked about. */
  "other"?: (OtherHouse | null);
  /** The row that says so. */
  "row": Row;
  /** The rows among which one chooses, in no order. */
  "rows": (Row)[];
  /** The rulebook's id. */
  "rules": string;
  /** How the house sets them. */
  "setting": Set;
  /** The settings among which one chooses, in no order: every legal one, or those of two houses. */
  "settings": (Possible)[];
  /** What they contain, in a word that stays the same. */
  "shape": string;
  /** Why, in a sentence about these cards. */
  "why": string;
};

/** What kind of question. */
export type DrillKind = ("set" | "clause" | "best" | "houses");

/** How a bet ended. */
export type Ending = ("win" | "push" | "lose" | "returned");

/** The Fortune Bonus with Envy. */
export type Envy = {
  /** By how many others play. */
  "by-others": (ByOthers)[];
  /** A Fortune Bonus wager of so many cents. */
  "wager": number;
  /** A Fortune Bonus wager that waives the commission, in cents, where one does. */
  "waived-from"?: number | null;
};

/** What proves a deal. */
export type Evidence = ({
  "opened": Opened;
} | {
  "seed": Disclosed;
});

/** What is wrong. */
export type Fault = {
  /** The clause that says so, where one does. */
  "clause"?: string | null;
  /** In a word that stays the same. */
  "code": string;
  /** Where in what was sent, where it is about a part of it. */
  "field"?: string | null;
  /** In a sentence for people. */
  "says": string;
};

/** One fee. */
export type Fee = {
  /** How much. */
  "amount": Cents;
  /** The clause that takes it. */
  "clause": string;
  /** Who pays it. */
  "person": Person;
};

/** Something that the platform did for someone who was not there to do it. */
export type ForTheAbsent = {
  /** What. */
  "did": DoneForThem;
  /** For whom. */
  "person": Person;
  /** Where they sat. */
  "position": Position;
  /** At which entry. */
  "version": number;
};

/** The version of the form. */
export type Form = ("houseway-fair/1");

/** The Fortune Bonus over all hands. */
export type Fortune = {
  /** The clause by which it is paid only if the banker's own bonus hand is lower. */
  "above-banker"?: string | null;
  /** What the house keeps of each dollar as the bonus is paid here. */
  "edge": number;
  /** What is paid, highest first. */
  "lines": (FortuneLine)[];
  /** Hands that pay nothing. */
  "nothing": number;
  /** What the house keeps of each dollar by the pay table alone. */
  "table-edge": number;
  /** The variance of the gain on one dollar by the pay table alone. */
  "variance": number;
};

/** A hand that the Fortune Bonus pays. */
export type FortuneLine = {
  /** And Envy, in cents. */
  "envy"?: number | null;
  /** The hand. */
  "hand": BonusHand;
  /** How many hands are paid for it. */
  "hands": number;
  /** The share in which it is paid where the banker's own hand must be lower; else one. */
  "paid": number;
  /** So many to one. */
  "pays": number;
};

/** What a client sends. */
export type FromClient = ({
  /** The version one has; what happened since is told, the last of it if it is very much. */
  "since"?: number | null;
  /** Which. */
  "table": number;
  "type": "watch";
} | {
  /** Which. */
  "table": number;
  "type": "unwatch";
} | {
  /** What. */
  "command": Ask;
  /** The command's own name. Sent again under it, a command is answered again and not done again. Any UUID will do; one that begins with the time (version 7) is found fastest. */
  "id": string;
  /** Of which. */
  "table": number;
  "type": "command";
} | {
  /** Comes back. */
  "n"?: number;
  "type": "ping";
});

/** What the server sends. */
export type FromServer = ({
  /** The server's time, in milliseconds since 1970. */
  "now": number;
  /** The protocol's version. */
  "protocol": number;
  "type": "welcome";
  /** Whom the server takes the client for; nobody for one who only watches. */
  "you": (You | null);
} | TableUpdate & {
  "type": "table";
} | {
  /** `{"answer":"done"}`, or `{"answer":"refused","refused":…,"clause":…,"says":…}`. */
  "answer": Answered;
  /** Which command. */
  "id": string;
  "type": "answer";
  /** Where the table's log stood afterwards. */
  "version": number;
} | {
  /** Whether it can help to send it again. */
  "again": boolean;
  /** Which command. */
  "id": string;
  "type": "failed";
  /** Why. */
  "why": string;
} | {
  /** The command, where the message was one and has an id. */
  "id"?: string | null;
  /** The table that it is about, where it names one. */
  "table"?: number | null;
  "type": "wrong";
  /** Why, and where in the message. */
  "why": string;
} | {
  /** As it was sent. */
  "n": number;
  /** The server's time. */
  "now": number;
  "type": "pong";
} | {
  "type": "bye";
  /** Why. */
  "why": string;
});

/** Someone's money at the table. */
export type Funds = {
  /** After it. */
  "after": Cents;
  /** Before the round. */
  "before": Cents;
  /** What was brought during it. */
  "brought": Cents;
  /** Whose. */
  "person": Person;
  /** What was taken away during it. */
  "taken": Cents;
};

/** What the cashier gave. */
export type Given = {
  /** How much. */
  "given": Cents;
};

/** Seven cards in a house. */
export type Hand = {
  /** Seven different cards. */
  "cards": Cards;
  /** The rulebook's id. */
  "rules": string;
};

/** A hand, as far as it may be seen. */
export type HandView = ({
  "cards": "face-down";
  /** Whether its player gave it up. */
  "conceded": boolean;
  /** Whether it is set. */
  "set": boolean;
} | {
  "cards": "dealt";
  /** The cards. */
  "dealt": (Card)[];
} | {
  "cards": "set";
  /** The five behind. */
  "high": (Card)[];
  /** How it came to be set. */
  "how": (How | null);
  /** The two cards in front. */
  "low": (Card)[];
});

/** Something that happened, as everyone may know it. */
export type Happened = (Seen | {
  /** What the deck was committed to, where that is what happened. */
  "commitment"?: string | null;
  /** The word. */
  "event": Beside;
  /** More about it. */
  "why"?: string | null;
}) & {
  /** When. */
  "at": number;
  /** At which version. */
  "version": number;
  /** By whom; nobody for what the house does by itself. */
  "who"?: (Person | null);
};

/** What the files are that a house is run with. */
export type Hashed = {
  /** Whether there is a list to hold them against. */
  "checked": boolean;
  /** What is not as the list says: none, or no round is begun. */
  "differences": (string)[];
  /** Every file. */
  "files": (HashedFile)[];
  /** The version of the program. */
  "version": string;
};

/** A file. */
export type HashedFile = {
  /** What it is to the house. */
  "part": string;
  /** Where it is. */
  "path": string;
  /** Its SHA-256, in hexadecimal digits; nothing where it cannot be read. */
  "sha256"?: string | null;
};

/** Where a log stands. */
export type HeadOf = {
  /** The hash that covers all of it. */
  "hash": string;
  /** Which log. */
  "stream": string;
  /** Its last version. */
  "version": number;
};

/** What one can ask beside the game. */
export type HouseAsk = ({
  "do": "say";
  /** Any text of 1 to 256 bytes. */
  "words": string;
} | {
  "do": "ready";
} | {
  "do": "deal-committed";
} | {
  "do": "close-table";
  /** Why, in 1 to 200 characters. */
  "why": string;
} | {
  "do": "open-table";
  /** Why, in 1 to 200 characters. */
  "why": string;
});

/** How a hand came to be set. */
export type How = ("laid" | "house-way" | "fouled" | "absent" | "unviewed");

/** What a hand is. */
export type InWords = {
  /** Whether the Low hand is higher than the High hand, which is a foul. */
  "foul": boolean;
  /** What the five are. */
  "high-is": string;
  /** What the two are. */
  "low-is": string;
};

/** What can go wrong. */
export type Incident = ("foreign-card" | "card-count" | "unshuffled" | "wrongly-dealt" | "banker-hand-size" | "two-exposed" | "four-exposed" | "late-wager" | "late-withdrawal" | "player-hand-size" | "no-cards" | "no-wager" | "dissatisfied" | "device-count" | "under-minimum" | "over-maximum" | "earlier-rounds" | "hand-shown" | "second-viewed" | "wrong-house-way" | "wrong-house-way-later" | "power-failure-open" | "power-failure-decided" | "not-covered" | "not-four-left" | "spot-missed" | "hand-size" | "shuffler-error" | "first-hand-astray" | "banker-misset" | "picked-up");

/** What can be limited. */
export type Kind = ("loss-per-day" | "loss-per-week" | "loss-per-month" | "time-per-day");

/** Hands as they lie or could lie. */
export type Laid = {
  /** At most as many as there are ways to set one hand. */
  "hands": (LaidHand)[];
};

/** Seven cards as they lie. */
export type LaidHand = {
  /** The five behind. */
  "high": Cards;
  /** The two cards in front. */
  "low": Cards;
};

/** What the house owes people, in cents. */
export type Liability = {
  /** What lies on wagers and in banks of rounds that have not ended, interrupted ones among them. */
  "in-play": number;
  /** What they have at tables and have not wagered; bots not counted. */
  "stacks": number;
  /** What people have away from tables; bots not counted. */
  "wallets": number;
};

/** One limit as it stands. */
export type Limit = {
  /** The most that counts now; nothing is no limit. */
  "most"?: number | null;
  /** What was asked for since and counts later. */
  "waiting"?: (Waiting | null);
};

/** All limits of one person at one time. */
export type Limits = {
  /** Cents within 24 hours. */
  "loss-per-day": Limit;
  /** Cents within 30 days. */
  "loss-per-month": Limit;
  /** Cents within 7 days. */
  "loss-per-week": Limit;
  /** Milliseconds within 24 hours. */
  "time-per-day": Limit;
};

/** One line of a statement. Of the stake, some is taken and the rest goes back. */
export type Line = ({
  "bet": "standard";
} | {
  "bet": "fortune";
} | {
  "bet": "tiger-nine";
} | {
  "bet": "envy";
  /** Whose hand it is paid for. */
  "of": Position;
} | {
  "bet": "house-wager";
} | {
  "bet": "banker-commission";
}) & {
  /** What of the stake goes back. */
  "back": Cents;
  /** The clause that decides, and then those that changed the amount. */
  "clauses": (string)[];
  /** What the owner then pays the house. */
  "commission": Cents;
  /** How it ended. */
  "ending": Ending;
  /** What was looked at. */
  "on"?: (On | null);
  /** Whose. */
  "owner": Owner;
  /** What is paid beside it. */
  "paid": Cents;
  /** Who takes and pays. */
  "payer": Payer;
  /** Where. */
  "position": Position;
  /** What lay there. */
  "stake": Cents;
  /** What of it is taken. */
  "taken": Cents;
};

/** An entry of a log. */
export type LogEntry = {
  /** When, in milliseconds since 1970. */
  "at": number;
  /** What happened; nothing where it is sealed. */
  "body"?: unknown;
  /** Its hash, which covers all before it. */
  "hash": string;
  /** What kind of thing happened. */
  "kind": string;
  /** Its version. */
  "version": number;
};

/** What became of it. */
export type Made = {
  /** Whether it holds. */
  "done": boolean;
  /** Where it takes two operators: until when another may ask for the same. */
  "waits-until"?: number | null;
};

/** Who someone is, and what they have. */
export type Me = {
  /** Whether they have no password. */
  "guest": boolean;
  /** When they came in before, in milliseconds since 1970. */
  "last-login"?: number | null;
  /** Their name. */
  "name": string;
  /** Whether they run the house. */
  "operator": boolean;
  /** Their number. */
  "person": Person;
  /** What they may act as at a table. */
  "role": Role;
  /** What they have away from tables. */
  "wallet": Cents;
};

/** Someone's name. */
export type Named = {
  /** Whether it is one of the house's own players. */
  "bot": boolean;
  /** The name. */
  "name": string;
};

/** What someone is to be. */
export type NewStanding = {
  /** The number of a proposal, for whoever agrees to that one and nothing else. */
  "agrees-to"?: number | null;
  /** `player`, `dealer`, `pit-supervisor`, `pit-manager`, `gaming-shift-manager` or `operator`. */
  "standing": string;
  /** Why. */
  "why": string;
};

/** The number. */
export type NumberOpening = {
  /** The number as it was committed to, before the players' words moved it on. */
  "committed": number;
  /** The other half at each step from the leaf to the root. */
  "path": (Bytes32)[];
  /** The salt of its leaf. */
  "salt": Bytes32;
};

/** The exact odds of a rulebook's bets. What is left out was not counted for this rulebook. */
export type Odds = {
  /** A player who banks and sets best, on one opponent's wager, where players bank. */
  "banker"?: (Wagered | null);
  /** The hands for which that matters most. */
  "better": (Better)[];
  /** The House Way's game by what the best five of the seven cards are. */
  "categories": (OfCategory)[];
  /** What is kept of a win, in percent. */
  "commission": number;
  /** All deals of two hands. */
  "deals": number;
  /** What Envy does to it, by how many others play. */
  "envy"?: (Envy | null);
  /** The Fortune Bonus. */
  "fortune": Fortune;
  /** All hands of seven cards. */
  "hands": number;
  /** The standard wager of a player who sets the House Way. */
  "house-way"?: (Wagered | null);
  /** What is not told because it takes minutes to count, and what counts it. */
  "not-counted"?: string | null;
  /** The standard wager of a player who sets best. */
  "optimal"?: (Wagered | null);
  /** The House Way's game by the row of the sheet that sets the hand. */
  "rows": (OfRow)[];
  /** The rulebook's id. */
  "rules": string;
  /** What a hundred rounds of one unit come to by the House Way. */
  "session": (Bar)[];
  /** How many hands are worth more set otherwise. */
  "set-otherwise"?: number | null;
  /** Tiger 9, where there is one. */
  "tiger"?: (Tiger | null);
  /** The same with the commission waived, where it can be. */
  "waived"?: (Wagered | null);
};

/** The deals in which the best five cards are of a category. */
export type OfCategory = {
  /** Its name. */
  "category": string;
  /** What the banker keeps of each dollar. */
  "edge": number;
  /** So many hands. */
  "hands": number;
  /** Deals lost. */
  "lose": number;
  /** Deals pushed. */
  "push": number;
  /** Deals won. */
  "win": number;
};

/** The deals in which a row of the sheet sets the hand. */
export type OfRow = {
  /** What the banker keeps of each dollar on such a hand. */
  "edge": number;
  /** What the best settings of such hands would gain, of each dollar over all deals. */
  "gives-away"?: number | null;
  /** So many hands. */
  "hands": number;
  /** The row. */
  "row": Row;
};

/** Something that would be granted. An offer allows every command that it describes, and together the offers describe every command that would be granted. */
export type Offer = ({
  "do": "bring-money";
  /** At most so much. */
  "most": Cents;
} | {
  "do": "take-money";
  /** At most so much. */
  "most": Cents;
} | {
  "do": "sit";
  /** Where. */
  "position": Position;
} | {
  "do": "leave";
  /** From where. */
  "position": Position;
} | {
  "do": "open-round";
} | {
  /** What others wager already, which must be covered. */
  "covers": Cents;
  "do": "take-bank";
  /** What the house wagers at most, where it plays too. */
  "house-wager": Cents;
  /** With at least so much. */
  "least": Cents;
  /** With at most so much. */
  "most": Cents;
  /** In steps of so much. */
  "step": Cents;
} | {
  "do": "decline-bank";
} | {
  "do": "place";
  /** At least so much. */
  "least": Cents;
  /** At most so much. */
  "most": Cents;
  /** For whom, where staff place it for a player. */
  "person"?: (Person | null);
  /** Where. */
  "position": Position;
  /** In steps of so much. */
  "step": Cents;
  /** On which bet. */
  "wager": Wager;
} | {
  "do": "withdraw";
  /** Where. */
  "position": Position;
  /** From which bet. */
  "wager": Wager;
} | {
  "do": "close-bets";
} | {
  "do": "deal";
  /** The number that is drawn is from 1 to this; nothing where none is looked at. */
  "highest": number | null;
} | {
  "do": "view";
  /** Where. */
  "position": Position;
} | {
  "do": "set";
  /** Whether a foul would lose the hand, because it would not be the first; otherwise the hand is set the House Way. */
  "foul-loses": boolean;
  /** Pairs that would be a foul. */
  "fouls": (Cards)[];
  /** Pairs of cards that can go Low without a foul. */
  "lows": (Cards)[];
  /** Where. */
  "position": Position;
} | {
  "do": "set-house-way";
  /** Where. */
  "position": Position;
} | {
  "do": "ask-house-way";
  /** Where. */
  "position": Position;
} | {
  /** Whether any two cards may be laid Low that are no foul, because a House Way that lies wrong is put right by a rule; otherwise only those that the sheet says. */
  "by-hand": boolean;
  "do": "reveal";
} | {
  "do": "set-banker";
  /** Pairs that would be a foul and set again the House Way. */
  "fouls": (Cards)[];
  /** Pairs of cards that can go Low without a foul. */
  "lows": (Cards)[];
} | {
  "do": "concede";
  /** Where. */
  "position": Position;
} | {
  "do": "settle";
} | {
  "do": "time-up";
} | {
  "do": "resume";
} | {
  "do": "call";
  /** How the cards can be put right. Two hands change places in either order. */
  "repairs": (Repair)[];
  /** Whose hand it can be about; none where it is about no single hand. */
  "spots": (Spot)[];
  /** Whether it can be called without a repair. */
  "unrepaired": boolean;
  /** What happened. */
  "what": Incident;
} | {
  "do": "withdraw-all";
} | {
  "do": "restrict";
  /** Whom: any of these. */
  "persons": (Person)[];
} | {
  "do": "rule";
  /** How: any of these. */
  "rulings": (Ruling)[];
});

/** What a line was decided on. */
export type On = ({
  "hands": {
    /** The High hand. */
    "high": Versus;
    /** The Low hand. */
    "low": Versus;
  };
} | {
  "held": BonusHand;
} | "bankers-low");

/** What is opened. */
export type Opened = {
  /** Cards in the order in which they are dealt. */
  "cards": (Opening)[];
  /** The number. */
  "number"?: (NumberOpening | null);
};

/** A table was opened. */
export type OpenedTable = {
  /** Its number. */
  "table": number;
};

/** One card. */
export type Opening = {
  /** The card. */
  "card": Card;
  /** The other half at each step from the leaf to the root. */
  "path": (Bytes32)[];
  /** Its place in the deck after the cut. */
  "place": Place;
  /** The salt of its leaf. */
  "salt": Bytes32;
};

/** How the other house sets the hand. */
export type OtherHouse = {
  /** The row that says so. */
  "row": Row;
  /** Its rulebook's id. */
  "rules": string;
  /** The setting. */
  "setting": Set;
  /** Why, in a sentence about these cards. */
  "why": string;
};

/** A limit one sets oneself. */
export type OwnLimit = {
  /** On what. */
  "kind": Kind;
  /** The most: cents, or milliseconds; nothing lifts the limit. */
  "most"?: number | null;
};

/** Whose bet it is. */
export type Owner = ({
  "person": Person;
} | "house");

/** Rounds, newest first. */
export type Page = {
  /** Where the next page begins, if there may be one. */
  "next"?: string | null;
  /** The rounds. */
  "rounds": (PlayedRound)[];
};

/** Hands that two houses set differently, for the same pair of reasons. */
export type Parting = {
  /** So many hands. */
  "hands": number;
  /** What the other says. */
  "other-row": Row;
  /** As the other sets it. */
  "other-setting": Set;
  /** What one house says. */
  "row": Row;
  /** One of the hands, as the one sets it. */
  "setting": Set;
};

/** Where two houses set hands differently. */
export type Partings = {
  /** By the rows that decide, the most hands first. */
  "by-rows": (Parting)[];
  /** So many are set differently. */
  "hands": number;
  /** Of so many hands. */
  "of": number;
};

/** One's password, and what it is to be. */
export type Passwords = {
  /** The one from now on, of at least 8 characters. */
  "new": string;
  /** The one until now. */
  "old": string;
};

/** A finished round. */
export type PastView = {
  /** Who held the bank. */
  "bank": Bank;
  /** The banker's. */
  "banker": HandView;
  /** What was collected before it. Of a void round everything went back. */
  "fees": (Fee)[];
  /** The hands that were shown. */
  "hands": ([Position, HandView])[];
  /** The house's own. */
  "house": (HandView | null);
  /** What it came to. */
  "lines": (Line)[];
  /** Its number. */
  "round": number;
  /** Cards that nobody was shown: left over, discarded and out of play. For an auditor alone. */
  "unseen"?: (Card)[] | null;
  /** The clause that makes it void, where one does. */
  "void"?: string | null;
};

/** A line of the pay table. */
export type PayLine = {
  /** And Envy, in cents. */
  "envy"?: number | null;
  /** For this hand. */
  "hand": BonusHand;
  /** So many to one. */
  "pays": number;
};

/** Who takes and pays a bet. */
export type Payer = "house" | "banker";

/** Someone, by a number that whoever keeps the accounts gave them. */
export type Person = number;

/** What is going on. */
export type PhaseView = ({
  "name": "idle";
} | {
  "name": "offering";
  /** To whom. */
  "to": Position;
} | {
  "name": "betting";
} | {
  "name": "closed";
} | {
  "name": "setting";
} | {
  "name": "revealed";
});

/** A place in the deck as it is dealt, 0 to 52: the card at 0 comes first. */
export type Place = number;

/** A finished round, or a correction of one, as its shares tell it. */
export type PlayedRound = {
  /** When it began, in milliseconds since 1970. */
  "began": number;
  /** By which clause it is void or was corrected. */
  "clause"?: string | null;
  /** When it ended. */
  "ended": number;
  /** What all of it brought, or cost if less than nothing, in cents. */
  "net": number;
  /** Which round. */
  "round": number;
  /** The rulebook's id. */
  "rules": string;
  /** What it came to, bet by bet. */
  "shares": (PlayedShare)[];
  /** How it ended. */
  "status": RoundEnd;
  /** At which table. */
  "table": number;
};

/** What one bet came to for one person. Of the wager, some was taken and the rest went back. */
export type PlayedShare = {
  /** What of it went back. */
  "back": Cents;
  /** On what: `standard`, `fortune`, `tiger-nine`, `envy`, `house-wager`, `bank`, `fee` or `correction`. */
  "bet": string;
  /** The commission on it. */
  "commission": Cents;
  /** What was paid beside it. */
  "paid": Cents;
  /** Whose; number 0 is the house. */
  "person": Person;
  /** What of it was taken. */
  "taken": Cents;
  /** What was wagered. */
  "wagered": Cents;
};

/** A place at the table, counted clockwise from the dealer's left as 1. */
export type Position = number;

/** A setting that can be chosen. */
export type Possible = {
  /** Whether it is the House Way, or as good as that. */
  "house-way": boolean;
  /** Whether it answers the question: cards of one rank stand for one another. */
  "right": boolean;
  /** The setting. */
  "setting": Set;
  /** What it is worth for each dollar, where the best is asked for. */
  "value"?: number | null;
};

/** What the room posts. */
export type Posted = {
  /** What all bonus wagers of a round are paid together at most, where the room posts it. */
  "bonus-cap"?: (Cents | null);
  /** With what cards are dealt. */
  "device": Device;
  /** The least and the most of a Fortune Bonus wager. */
  "fortune": Range;
  /** What a Designated Player pays before the cards are dealt. */
  "rake"?: Cents;
  /** Which collection schedule is used. */
  "schedule"?: number | null;
  /** The least and the most of a standard wager. */
  "standard": Range;
  /** The least and the most of a Tiger 9 wager, where there is one. */
  "tiger-nine"?: (Range | null);
  /** How long people have, in milliseconds. */
  "time"?: Time;
};

/** That cards and the number were committed to before the first wager. */
export type Proof = {
  /** What was published before the first wager. */
  "commitment": Bytes32;
  /** The cut that follows from it. */
  "cut": Cut;
  /** Which deal it is about. */
  "deal": Deal;
  /** What proves it. */
  "evidence": Evidence;
  /** How it is written. */
  "form": Form;
  /** The number that was drawn, if it is opened. */
  "number"?: number | null;
  /** What the players said until "no more bets". */
  "words": Words;
};

/** A standing that takes two operators, and has one. */
export type Proposed = {
  /** Who asked for it. */
  "by": Person;
  /** What they are called. */
  "by-name": string;
  /** What they are called. */
  "name": string;
  /** Its number, by which it is agreed to. */
  "number": number;
  /** Who would be something else. */
  "person": Person;
  /** What they would be. */
  "standing": string;
  /** Until when it waits for another operator. */
  "until": number;
  /** Why. */
  "why": string;
};

/** What the players said in a round, as it is published when bets are closed. */
export type PublishedWords = {
  /** The hash of it, by which the deck is cut. Of an empty list there is one too, and no cut. */
  "digest": Bytes32;
  /** Who said what, in the order in which it is hashed; an empty list if nobody spoke. */
  "said": Words;
};

/** A wager's limits. */
export type Range = {
  /** The most. */
  "maximum": Cents;
  /** The least. */
  "minimum": Cents;
};

/** A numbered reading. */
export type ReadingSays = {
  /** Its number. */
  "id": string;
  /** What it says. */
  "says": string;
};

/** Whether the house can take commands. */
export type Ready = {
  /** It can. */
  "ready": boolean;
  /** The version of the program. */
  "version": string;
};

/** A finished round, step by step, as one onlooker may see it. */
export type Recall = {
  /** The table before the first step. */
  "before": TableView;
  /** Every clause that is cited, with our sentence for it, in the order of citing. */
  "clauses": (CitedClause)[];
  /** Later corrections of the round. */
  "corrections": (PlayedRound)[];
  /** Every card as it was dealt, those that nobody saw too. For an auditor alone. */
  "dealt"?: (AllCards | null);
  /** What was done for people who were not there to do it. */
  "for-the-absent": (ForTheAbsent)[];
  /** Money at the table before and after: for a player their own, for staff everyone's. */
  "funds": (Funds)[];
  /** What the table is called. */
  "name": string;
  /** Always true: this is a replay, nothing of it happens now. */
  "replay": boolean;
  /** What the round came to: for a player their own shares, for staff everyone's. */
  "round": PlayedRound;
  /** The statement, line by line; nothing for a void round. */
  "statement": (Line)[];
  /** What happened, in order. */
  "steps": (Step)[];
};

/** How cards are put right. */
export type Repair = ({
  "swap": [Spot, Spot];
} | "reconstruct" | {
  "lay": Cards;
});

/** What rounds came to. Amounts are in cents; void rounds are counted, and their wagers are not. */
export type Report = {
  /** What it has a line for. */
  "by": ReportBy;
  /** Of rounds that ended at this time or later, in milliseconds since 1970. */
  "from": number;
  /** The lines, sorted. */
  "lines": (ReportLine)[];
  /** All of them together. */
  "total": ReportLine;
  /** And before this time. */
  "until": number;
};

/** What a report has a line for. */
export type ReportBy = ("table" | "rules" | "day");

/** One line of a report. */
export type ReportLine = {
  /** The same of the house's own players. */
  "bots": (BetLine)[];
  /** Commission. */
  "commission": number;
  /** Corrections. */
  "corrections": number;
  /** Fees and rake. */
  "fees": number;
  /** What the house itself paid on bets and by corrections. */
  "house-paid": number;
  /** What the house has of all that, or has lost if less than nothing. Its own players, whose losses are its gains, are in it like everyone else. */
  "house-result": number;
  /** What the house itself won of bets and took back by corrections. */
  "house-took": number;
  /** A table's number, a rulebook's id or a date; `total`. */
  "of": string;
  /** Bet by bet, what people wagered. */
  "people": (BetLine)[];
  /** Rounds that were settled. */
  "rounds": number;
  /** The rulebooks that were played by. */
  "rules": (string)[];
  /** Rounds that are void. */
  "voids": number;
};

/** Who may call something. A higher one may act for a lower one. */
export type Role = "player" | "dealer" | "pit-supervisor" | "pit-manager" | "gaming-shift-manager";

/** Where the bank goes next. */
export type Rotation = {
  /** Whether the house banks the next round before the button goes on. */
  "house-between": boolean;
  /** How many rounds the last banker has banked in a row. */
  "in-a-row": number;
  /** Who the last banker was. */
  "last": (Person | null);
  /** The spot that is asked next, or that has the button. */
  "next": Position;
};

/** How a round ended. */
export type RoundEnd = ("settled" | "void" | "corrected");

/** A row of a House Way's sheet. */
export type Row = {
  /** Which hands it is about. */
  "about": string;
  /** The id of its clause, which several rows may share. */
  "id": string;
  /** Its place on the sheet, from zero. */
  "place": number;
  /** What it says. */
  "says": string;
};

/** A rulebook, in our own words. */
export type Rules = {
  /** What the house chose, with the clauses. */
  "choices": (Choice)[];
  /** Every clause with our sentence for it. */
  "clauses": (Clause)[];
  /** The document it was read from. */
  "document": string;
  /** And which edition of it. */
  "edition": string;
  /** What the Fortune Bonus pays, and Envy where there is one. */
  "fortune": (PayLine)[];
  /** Its id. */
  "id": string;
  /** Its name. */
  "name": string;
  /** What is posted at a table where nothing else is wished. */
  "posted": Posted;
  /** How many can sit. */
  "seats": number;
  /** What is special about it. */
  "summary": string;
};

/** A rulebook in a line. */
export type RulesInfo = {
  /** Its id. */
  "id": string;
  /** Its name. */
  "name": string;
  /** What is posted at a table where nothing else is wished. */
  "posted": Posted;
  /** How many can sit. */
  "seats": number;
  /** What is special about it. */
  "summary": string;
};

/** A decision at someone's discretion. */
export type Ruling = ("play-on" | "void" | {
  "hand-out": Position;
});

/** What one person said. */
export type Said = {
  /** Who, by the number that the accounts have for them. */
  "person": number;
  /** Any text of 1 to 256 bytes. */
  "words": string;
};

/** A seat. */
export type SeatView = {
  /** Whether the Fortune Bonus wager there is one that Envy is paid on. */
  "envy": boolean;
  /** The hand in play, where there is one. */
  "hand": (HandView | null);
  /** Whether that hand is left to the dealer, who sets it once all others are set. */
  "left-to-dealer": boolean;
  /** Who sits there. */
  "person": (Person | null);
  /** Where. */
  "position": Position;
  /** What they have. */
  "stack": (Cents | null);
  /** What lies there. */
  "stakes": Stakes;
};

export type Seen = ({
  /** How much. */
  "amount": Cents;
  "event": "money-brought";
  /** Whose. */
  "person": Person;
} | {
  /** How much. */
  "amount": Cents;
  "event": "money-taken";
  /** Whose. */
  "person": Person;
} | {
  "event": "sat";
  /** Who. */
  "person": Person;
  /** Where. */
  "position": Position;
} | {
  "event": "left";
  /** Who. */
  "person": Person;
  /** From where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "bank-offered";
  /** To whom. */
  "position": Position;
  /** Until when. */
  "until": number | null;
} | {
  "event": "bank-declined";
  /** By whom. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "no-banker";
} | {
  /** Who, with what. */
  "bank": Bank;
  /** What they had put up before. */
  "before": Cents;
  /** By which clause. */
  "clause": string;
  "event": "bank-taken";
} | {
  "event": "bets-opened";
  /** Which round. */
  "round": number;
  /** Until when. */
  "until": number | null;
} | {
  /** How much. */
  "amount": Cents;
  /** What lay there of theirs before. */
  "before": Cents;
  /** Staff who placed it for the player. */
  "by": (Actor | null);
  /** By which clause. */
  "clause": string;
  "event": "placed";
  /** Whose. */
  "person": Person;
  /** Where. */
  "position": Position;
  /** On which bet. */
  "wager": Wager;
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause, where one decides. */
  "clause": string | null;
  "event": "returned";
  /** Whose. */
  "person": Person;
  /** Where. */
  "position": Position;
  /** From which bet. */
  "wager": Wager;
} | {
  "event": "bets-closed";
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause. */
  "clause": string;
  "event": "fee-taken";
  /** From whom. */
  "person": Person;
} | {
  "event": "viewed";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "left-to-dealer";
  /** Where. */
  "position": Position;
} | {
  "event": "bankers-turn";
  /** Until when. */
  "until": number | null;
} | {
  /** By which clause. */
  "clause": string;
  "event": "banker-set";
  /** The two cards that went Low. */
  "low": Cards;
  /** Until when hands may be conceded, where they may. */
  "until": number | null;
} | {
  /** By which clause. */
  "clause": string;
  "event": "house-set";
  /** The two cards that went Low. */
  "low": Cards;
} | {
  /** By which clause. */
  "clause": string;
  "event": "conceded";
  /** Where. */
  "position": Position;
} | {
  "event": "settled";
  /** Line by line, in order. */
  "lines": (Line)[];
} | {
  /** How much. */
  "amount": Cents;
  "event": "bank-returned";
  /** Who. */
  "person": Person;
} | {
  "event": "round-ended";
  /** Where it goes next. */
  "rotation": Rotation;
} | {
  /** What went back of a bank. */
  "bank": (Share | null);
  /** By which clause. */
  "clause": string;
  "event": "voided";
  /** What went back of fees. */
  "fees": (Share)[];
  /** What went back of wagers. */
  "wagers": ([Position, Share])[];
  /** Why. */
  "why": string;
} | {
  /** By which clause. */
  "clause": string;
  "event": "hand-out";
  /** Who had part in it and may withdraw the rest of their wagers. */
  "may-withdraw": (Person)[];
  /** Where. */
  "position": Position;
} | {
  /** One. */
  "a": Spot;
  /** The other. */
  "b": Spot;
  /** By which clause. */
  "clause": string;
  "event": "swapped";
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause. */
  "clause": string;
  "event": "debt-collected";
  /** From whom. */
  "person": Person;
} | {
  /** By which clause. */
  "clause": string;
  "event": "noted";
  /** About whom, where it is about someone. */
  "person": (Person | null);
  /** What. */
  "what": Incident;
} | {
  /** By which clause. */
  "clause": string;
  "event": "not-in-action";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "barred";
  /** Who. */
  "person": Person;
} | {
  /** By which clause. */
  "clause": string;
  "event": "restricted";
  /** Who. */
  "person": Person;
  /** Why. */
  "reason": string;
} | {
  "event": "clock-restarted";
  /** Until when. */
  "until": number | null;
} | {
  /** By which clause play goes on or wagers may be withdrawn. */
  "clause": string;
  /** Whether some wager had been decided. */
  "decided": boolean;
  "event": "power-failed";
} | {
  /** By whom. */
  "by": Actor;
  /** By which clause. */
  "clause": string;
  "event": "ruled";
  /** Why. */
  "reason": string;
  /** How. */
  "ruling": Ruling;
} | {
  /** Who has the action button. */
  "action": (Position | null);
  /** By which clause. */
  "clause": string;
  "event": "dealt";
  /** The number that was drawn. */
  "number": number;
  /** In the order in which they were delivered. */
  "spots": (Spot)[];
  /** Until when hands may be set. */
  "until": number | null;
} | {
  "event": "set";
  /** Where. */
  "position": Position;
} | {
  "event": "house-way-told";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "reset";
  /** Whose. */
  "spot": Spot;
} | {
  /** By which clause. */
  "clause": string;
  /** What each person gets, or gives back if less than nothing. */
  "differences": ([Person, number])[];
  "event": "corrected";
  /** The lines as they should have been. */
  "lines": (Line)[];
  /** What someone would have to give back and does not have here. */
  "owed": ([Person, Cents])[];
  /** Which round. */
  "round": number;
  /** Whose hand was set wrongly. */
  "spot": Spot;
  /** What was found. */
  "what": Incident;
});

export type Seen2 = ({
  /** How much. */
  "amount": Cents;
  "event": "money-brought";
  /** Whose. */
  "person": Person;
} | {
  /** How much. */
  "amount": Cents;
  "event": "money-taken";
  /** Whose. */
  "person": Person;
} | {
  "event": "sat";
  /** Who. */
  "person": Person;
  /** Where. */
  "position": Position;
} | {
  "event": "left";
  /** Who. */
  "person": Person;
  /** From where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "bank-offered";
  /** To whom. */
  "position": Position;
  /** Until when. */
  "until"?: number | null;
} | {
  "event": "bank-declined";
  /** By whom. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "no-banker";
} | {
  /** Who, with what. */
  "bank": Bank;
  /** What they had put up before. */
  "before": Cents;
  /** By which clause. */
  "clause": string;
  "event": "bank-taken";
} | {
  "event": "bets-opened";
  /** Which round. */
  "round": number;
  /** Until when. */
  "until"?: number | null;
} | {
  /** How much. */
  "amount": Cents;
  /** What lay there of theirs before. */
  "before": Cents;
  /** Staff who placed it for the player. */
  "by"?: (Actor | null);
  /** By which clause. */
  "clause": string;
  "event": "placed";
  /** Whose. */
  "person": Person;
  /** Where. */
  "position": Position;
  /** On which bet. */
  "wager": Wager;
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause, where one decides. */
  "clause"?: string | null;
  "event": "returned";
  /** Whose. */
  "person": Person;
  /** Where. */
  "position": Position;
  /** From which bet. */
  "wager": Wager;
} | {
  "event": "bets-closed";
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause. */
  "clause": string;
  "event": "fee-taken";
  /** From whom. */
  "person": Person;
} | {
  "event": "viewed";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "left-to-dealer";
  /** Where. */
  "position": Position;
} | {
  "event": "bankers-turn";
  /** Until when. */
  "until"?: number | null;
} | {
  /** By which clause. */
  "clause": string;
  "event": "banker-set";
  /** The two cards that went Low. */
  "low": Cards;
  /** Until when hands may be conceded, where they may. */
  "until"?: number | null;
} | {
  /** By which clause. */
  "clause": string;
  "event": "house-set";
  /** The two cards that went Low. */
  "low": Cards;
} | {
  /** By which clause. */
  "clause": string;
  "event": "conceded";
  /** Where. */
  "position": Position;
} | {
  "event": "settled";
  /** Line by line, in order. */
  "lines": (Line)[];
} | {
  /** How much. */
  "amount": Cents;
  "event": "bank-returned";
  /** Who. */
  "person": Person;
} | {
  "event": "round-ended";
  /** Where it goes next. */
  "rotation": Rotation;
} | {
  /** What went back of a bank. */
  "bank"?: (Share | null);
  /** By which clause. */
  "clause": string;
  "event": "voided";
  /** What went back of fees. */
  "fees": (Share)[];
  /** What went back of wagers. */
  "wagers": ([Position, Share])[];
  /** Why. */
  "why": string;
} | {
  /** By which clause. */
  "clause": string;
  "event": "hand-out";
  /** Who had part in it and may withdraw the rest of their wagers. */
  "may-withdraw": (Person)[];
  /** Where. */
  "position": Position;
} | {
  /** One. */
  "a": Spot;
  /** The other. */
  "b": Spot;
  /** By which clause. */
  "clause": string;
  "event": "swapped";
} | {
  /** How much. */
  "amount": Cents;
  /** By which clause. */
  "clause": string;
  "event": "debt-collected";
  /** From whom. */
  "person": Person;
} | {
  /** By which clause. */
  "clause": string;
  "event": "noted";
  /** About whom, where it is about someone. */
  "person"?: (Person | null);
  /** What. */
  "what": Incident;
} | {
  /** By which clause. */
  "clause": string;
  "event": "not-in-action";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "barred";
  /** Who. */
  "person": Person;
} | {
  /** By which clause. */
  "clause": string;
  "event": "restricted";
  /** Who. */
  "person": Person;
  /** Why. */
  "reason": string;
} | {
  "event": "clock-restarted";
  /** Until when. */
  "until"?: number | null;
} | {
  /** By which clause play goes on or wagers may be withdrawn. */
  "clause": string;
  /** Whether some wager had been decided. */
  "decided": boolean;
  "event": "power-failed";
} | {
  /** By whom. */
  "by": Actor;
  /** By which clause. */
  "clause": string;
  "event": "ruled";
  /** Why. */
  "reason": string;
  /** How. */
  "ruling": Ruling;
} | {
  /** Who has the action button. */
  "action"?: (Position | null);
  /** By which clause. */
  "clause": string;
  "event": "dealt";
  /** The number that was drawn. */
  "number": number;
  /** In the order in which they were delivered. */
  "spots": (Spot)[];
  /** Until when hands may be set. */
  "until"?: number | null;
} | {
  "event": "set";
  /** Where. */
  "position": Position;
} | {
  "event": "house-way-told";
  /** Where. */
  "position": Position;
} | {
  /** By which clause. */
  "clause": string;
  "event": "reset";
  /** Whose. */
  "spot": Spot;
} | {
  /** By which clause. */
  "clause": string;
  /** What each person gets, or gives back if less than nothing. */
  "differences": ([Person, number])[];
  "event": "corrected";
  /** The lines as they should have been. */
  "lines": (Line)[];
  /** What someone would have to give back and does not have here. */
  "owed": ([Person, Cents])[];
  /** Which round. */
  "round": number;
  /** Whose hand was set wrongly. */
  "spot": Spot;
  /** What was found. */
  "what": Incident;
});

/** Seven cards, set. */
export type Set = {
  /** The five behind. */
  "high": (Card)[];
  /** What the five are. */
  "high-is": string;
  /** The two cards in front. */
  "low": (Card)[];
  /** What the two are. */
  "low-is": string;
};

/** A hand as a house sets it. */
export type SetHand = {
  /** What the seven cards are for the Fortune Bonus, if it pays. */
  "bonus"?: (BonusHand | null);
  /** The clause. */
  "clause": string;
  /** How it is set. */
  "setting": Set;
  /** Why, in a sentence. */
  "why": string;
};

/** What one person has on a bet. */
export type Share = {
  /** How much. */
  "amount": Cents;
  /** Who. */
  "person": Person;
};

/** A House Way. The first row that fits a hand sets it. */
export type Sheet = {
  /** Its rows. */
  "rows": (SheetRow)[];
  /** The rulebook's id. */
  "rules": string;
};

/** A row with what it does. */
export type SheetRow = {
  /** One of them, as it is set. */
  "example"?: (Set | null);
  /** It sets so many hands. */
  "hands": number;
  /** How we understand the document where it leaves something open. */
  "readings": (ReadingSays)[];
  /** The row. */
  "row": Row;
};

/** Someone with an account. */
export type Someone = {
  /** Since when. */
  "created": number;
  /** Since when they may not come in. */
  "disabled"?: number | null;
  /** Whether they have no password. */
  "guest": boolean;
  /** Their name. */
  "name": string;
  /** Their number. */
  "person": Person;
  /** What they are to the house. */
  "standing": string;
};

/** Who gets a hand. */
export type Spot = ({
  "at": Position;
} | "dealer");

/** What lies on a position's bets. Several people may share one where the rules let them. */
export type Stakes = {
  /** On the Fortune Bonus. */
  "fortune"?: (Share)[];
  /** On the standard wager. */
  "standard"?: (Share)[];
  /** On Tiger 9. */
  "tiger-nine"?: (Share)[];
};

/** One step of a round. */
export type Step = {
  /** What happened, as everyone may know it. */
  "happened": Happened;
  /** The table after it. */
  "view": TableView;
};

/** How a bot sets its hands. */
export type Strategy = ("house-way" | "optimal");

/** A table as the lobby shows it. */
export type TableInfo = {
  /** How many bots sit or will. */
  "bots": number;
  /** Why it is closed, if it is: nobody sits down there and no round begins. */
  "closed"?: string | null;
  /** What it is called. */
  "name": string;
  /** The clause that forbids advice until hands are set, where one does. */
  "no-advice"?: string | null;
  /** How many people sit, bots not counted. */
  "people": number;
  /** What the room posts. */
  "posted": Posted;
  /** Which round it is. */
  "round": number;
  /** Its rulebook's id. */
  "rules": string;
  /** How many can sit. */
  "seats": number;
  /** Its number. */
  "table": number;
};

/** A table as one onlooker may see it. */
export type TableUpdate = {
  /** Why the table is closed, if it is: the round in progress ends, and none begins. */
  "closed": string | null;
  /** What the deck of this round was committed to before the first wager. */
  "commitment": string | null;
  /** What happened since the version the client had, in order. */
  "happened": (Happened)[];
  /** What this onlooker may ask beside the game: `say`, `ready`, and for staff `close-table` or `open-table`. */
  "house-options": (string)[];
  /** Whether something may have happened that could not be told; the table is whole all the same. */
  "missed": boolean;
  /** What it is called. */
  "name": string;
  /** When the next round opens, if it does by itself. */
  "next-round": number | null;
  /** The server's time. */
  "now": number;
  /** Names of everyone at the table, bots marked. */
  "people": Record<string, Named>;
  /** Who waits for nothing more in this phase. */
  "ready": (Person)[];
  /** Why the round was interrupted, if it was. */
  "resumed": string | null;
  /** Which table. */
  "table": number;
  /** Where its log stands. */
  "version": number;
  /** The table. */
  "view": TableView;
  /** What the players said, by which the deck is cut: from "no more bets" until the round is over. */
  "words"?: (PublishedWords | null);
};

/** The table as one onlooker may see it. */
export type TableView = {
  /** Who has the action button. */
  "action": (Position | null);
  /** Who holds the bank, where someone does. */
  "bank": (Bank | null);
  /** The banker's hand. */
  "banker": (HandView | null);
  /** Where the bank or its button goes next, where it goes round. */
  "button": (Position | null);
  /** The house's own hand against a banking player's. */
  "house": (HandView | null);
  /** The round before. */
  "last": (PastView | null);
  /** What the onlooker may do now. */
  "options": (Offer)[];
  /** What is going on. */
  "phase": PhaseView;
  /** The number of the round. */
  "round": number;
  /** The rulebook's id. */
  "rules": string;
  /** The seats. */
  "seats": (SeatView)[];
  /** The onlooker's own money here. */
  "stack": (Cents | null);
  /** Until when something has to be done. */
  "until": number | null;
  /** How many events there have been. */
  "version": number;
};

/** Tiger 9. */
export type Tiger = {
  /** What the banker keeps of each dollar. */
  "edge": number;
  /** It wins with so many hands of the banker. */
  "hands": number;
  /** So many to one. */
  "pays": number;
  /** The variance of the gain on one dollar. */
  "variance": number;
};

/** How long people have, in milliseconds; nothing is as long as they like. */
export type Time = {
  /** To take or decline the bank. */
  "banking"?: number | null;
  /** To place wagers. */
  "betting"?: number | null;
  /** To concede one. */
  "conceding"?: number | null;
  /** To set a hand. */
  "setting"?: number | null;
};

/** A hand against the banker's. */
export type Versus = ("higher" | "copy" | "lower");

/** What can be wagered. */
export type Wager = "standard" | "fortune" | "tiger-nine";

/** What becomes of a wager over all deals. */
export type Wagered = {
  /** The chance to be ahead after a hundred rounds. */
  "ahead": number;
  /** Of so many deals. */
  "deals": number;
  /** What the other side keeps of each dollar. */
  "edge": number;
  /** It loses in so many. */
  "lose": number;
  /** It pushes in so many. */
  "push": number;
  /** The variance of the gain on one dollar. */
  "variance": number;
  /** It wins in so many. */
  "win": number;
};

/** A looser limit that does not count yet. */
export type Waiting = {
  /** From when on. */
  "begins": number;
  /** The most; nothing lifts the limit. */
  "most"?: number | null;
};

/** Why something is done. */
export type Why = {
  /** Why. */
  "why": string;
};

/** A table that someone wants. */
export type Wish = {
  /** How many seats bots fill. If nothing is said: two where a player always banks, so that whoever sits down alone is dealt to at once, and else none. */
  "bots"?: number | null;
  /** A name for the wish, made by whoever sends it: sent again, it opens no second table. */
  "id"?: string | null;
  /** Whether everyone finds it in the lobby. */
  "listed"?: boolean;
  /** What it is to be called. */
  "name"?: string | null;
  /** What the room posts; what is usual, if nothing is said. At a table that everyone finds, times that are not said are the usual ones too, unless staff open it or the house allows it otherwise. */
  "posted"?: (Posted | null);
  /** How long results are shown, in milliseconds; more than two minutes are two minutes. */
  "results"?: number | null;
  /** A rulebook's id. */
  "rules": string;
  /** How many can sit; as many as the layout has, if nothing is said. */
  "seats"?: number | null;
  /** How bots set their hands. */
  "strategy"?: Strategy;
};

/** What each person said, in the order of their numbers. What counts are the bytes of the text as it was sent: nothing is trimmed or made alike. */
export type Words = (Said)[];

/** What is told when something is not done. */
export type Wrong = {
  /** What is wrong. */
  "error": Fault;
};

/** Whom the server takes a client for. */
export type You = {
  /** Whether they have no password. */
  "guest": boolean;
  /** Their name. */
  "name": string;
  /** Their number. */
  "person": Person;
  /** As what they act. */
  "role": Role;
};
