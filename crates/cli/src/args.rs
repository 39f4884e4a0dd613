//! The arguments, as typed.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use houseway_server::people::Standing;

/// Fortune Pai Gow Poker under five rulebooks, every decision with its clause.
#[derive(Parser)]
#[command(
    name = "houseway",
    version,
    after_help = "Cards are rank and suit, Ah Td 2c; the joker is Jk. Also read: 10h, A♥, @ and joker.

Without a command the house opens: `houseway serve`.

Try:
  houseway
  houseway set Kc Kh 5s 5h Ac 6d 4s
  houseway set --rules all As Jk Qd Qh 2s 2d 4c
  houseway rules --diff mbs-2020 cardroom"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Open the house: tables for everyone, on 127.0.0.1:7777
    Serve(Serve),
    /// Play in the terminal: with bots at home, or at a server
    Play(Play),
    /// Drill House Ways, best settings, missets and payouts
    Train(Train),
    /// Set seven cards the House Way, with the clause and the reason
    Set(Set),
    /// Say what seven cards are: best hand, bonus hand, legal settings
    Rank(Rank),
    /// Advise on a hand: every legal setting with its exact chances
    Advise(Advise),
    /// Count exact odds: the main game, the Fortune Bonus, Tiger 9, Envy
    Odds(Odds),
    /// Adjudicate one round: the statement, a clause a line
    Settle(Settle),
    /// Play whole rounds from a seed, beside the exact figures
    Simulate(Simulate),
    /// Write a rulebook's mathematics as one page to print or hand over
    Report(Report),
    /// Show the rulebooks: choices, clauses, pay tables, differences
    Rules(Rules),
    /// Check a round's proof, or everything that a house has kept
    Verify(Verify),
    /// Look after a house: its first operator, backups, anchors of its logs, hashes of its files
    Admin(Admin),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  houseway completions bash > /etc/bash_completion.d/houseway"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = "Examples:\n  houseway man | man -l -\n  houseway man --folder man1")]
    Man {
        /// Write a page for each command into this folder instead
        #[arg(long)]
        folder: Option<PathBuf>,
    },
}

impl Command {
    /// What is done without a command: as `houseway serve` without a flag.
    pub(crate) fn serve() -> Command {
        let args = Args::parse_from(["houseway", "serve"]);
        args.command.expect("it was named")
    }

    /// Whether the answer is for another program to read.
    pub(crate) fn is_for_programs(&self) -> bool {
        match self {
            Command::Set(set) => set.json,
            Command::Rank(rank) => rank.json,
            Command::Advise(advise) => advise.json,
            Command::Odds(odds) => odds.bet.asked().json,
            Command::Settle(settle) => settle.json || settle.schema,
            Command::Simulate(simulate) => simulate.json,
            Command::Rules(rules) => rules.json,
            Command::Verify(verify) => match &verify.what {
                VerifyWhat::Proof(proof) => proof.json,
                VerifyWhat::House(house) => house.json,
            },
            Command::Admin(_)
            | Command::Play(_)
            | Command::Train(_)
            | Command::Serve(_)
            | Command::Report(_)
            | Command::Completions { .. }
            | Command::Man { .. } => true,
        }
    }
}

#[derive(clap::Args)]
#[command(
    after_help = "Nothing has to be configured: everything is kept in the folder houseway-data, and
nobody needs an account. With --database postgres://… several houses share one
database, and every table can be played through each of them; they need the same
keys. A database that does not answer yet is waited for. Every option but --log can
stand in a file (--config), and all but that in the environment as HOUSEWAY_LISTEN
and so on, several with commas between; flags come first. HOUSEWAY_LOG says what is
logged, as in warn,houseway=debug.

Examples:
  houseway
  houseway serve --listen 0.0.0.0:8080 --data /var/lib/houseway
  houseway serve --database postgres://houseway@db/houseway --keys /etc/houseway/keys
  houseway serve --config /etc/houseway.toml --log json"
)]
pub(crate) struct Serve {
    /// A configuration file, in TOML
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", env = "HOUSEWAY_LISTEN")]
    pub(crate) listen: Option<SocketAddr>,
    /// Where everything is kept
    #[arg(long, value_name = "FOLDER", env = "HOUSEWAY_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// A PostgreSQL database instead of the SQLite file in the data folder
    #[arg(long, value_name = "URL", env = "HOUSEWAY_DATABASE", hide_env_values = true)]
    pub(crate) database: Option<String>,
    /// The keys that seal decks; made in the data folder if there are none
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_KEYS")]
    pub(crate) keys: Option<PathBuf>,
    /// The address people type, where it is another
    #[arg(long, value_name = "URL", env = "HOUSEWAY_PUBLIC_URL")]
    pub(crate) public_url: Option<String>,
    /// Another page that may use the house from a browser; can be given several times
    #[arg(long, value_name = "ORIGIN", env = "HOUSEWAY_ORIGIN", value_delimiter = ',')]
    pub(crate) origin: Vec<String>,
    /// A rulebook file that tables may be opened with; can be given several times
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_RULEBOOK", value_delimiter = ',')]
    pub(crate) rulebook: Vec<PathBuf>,
    /// A proxy in front says where requests come from
    #[arg(
        long,
        env = "HOUSEWAY_BEHIND_PROXY",
        value_name = "YES|NO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes",
        value_parser = BoolishValueParser::new()
    )]
    pub(crate) behind_proxy: Option<bool>,
    /// Let everyone open tables that all find and where no clock runs
    #[arg(
        long,
        env = "HOUSEWAY_OPEN_ENDED",
        value_name = "YES|NO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes",
        value_parser = BoolishValueParser::new()
    )]
    pub(crate) open_ended: Option<bool>,
    /// How many messages a socket may send in a second
    #[arg(long, value_name = "NUMBER", env = "HOUSEWAY_MESSAGES_PER_SECOND")]
    pub(crate) messages_per_second: Option<u32>,
    /// How many requests an address may make in a second
    #[arg(long, value_name = "NUMBER", env = "HOUSEWAY_REQUESTS_PER_SECOND")]
    pub(crate) requests_per_second: Option<u32>,
    /// How many sockets are open at most
    #[arg(long, value_name = "NUMBER", env = "HOUSEWAY_SOCKETS")]
    pub(crate) sockets: Option<usize>,
    /// How long the head of a request may take to come, in milliseconds
    #[arg(long, value_name = "NUMBER", env = "HOUSEWAY_HEAD_MILLISECONDS")]
    pub(crate) head_milliseconds: Option<u64>,
    /// Hashes that program, configuration and rulebooks must have: `houseway admin hashes`
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_HASHES")]
    pub(crate) hashes: Option<PathBuf>,
    /// How logs are written
    #[arg(long, value_name = "FORM", default_value = "text", env = "HOUSEWAY_LOG_FORM")]
    pub(crate) log: LogForm,
}

#[derive(clap::Args)]
#[command(
    after_help = "Without a flag a menu asks for the rulebook, the stakes and the bots. The table is
inside this program: no server, no account; money, seats and a round that was
not finished are kept in the data folder and taken up again. With --server one
plays with others, at any table of that house.

Every key is shown on the screen, and ? tells more; everything can be clicked.
Enter does the most natural thing, so a round is Enter, Enter, and a hand set by
the arrow keys. h asks for the House Way and a for the exact worth of every
setting, where and when the rulebook lets a player be told.

The window needs 40 columns and 20 rows. Plain ASCII is drawn with --ascii, in a
narrow window, and where NO_COLOR is set or the terminal has no colours.

Examples:
  houseway play
  houseway play --rules catfish-bend --bots 5 --stakes 25-2500
  houseway play --rules examples/foxwoods.toml --new
  houseway play --server http://127.0.0.1:7777
  HOUSEWAY_PASSWORD=… houseway play --server http://house:7777 --name alice"
)]
pub(crate) struct Play {
    /// A rulebook's id or a rulebook file: play by it at once, where you last sat if you did
    #[arg(long, short, value_name = "ID|FILE")]
    pub(crate) rules: Option<String>,
    /// How many bots sit at a new table
    #[arg(long, value_name = "NUMBER")]
    pub(crate) bots: Option<u8>,
    /// How bots set their hands
    #[arg(long, value_enum, value_name = "HOW", default_value = "house-way")]
    pub(crate) bots_set: BotsSet,
    /// The least and the most of a standard wager at a new table, in dollars
    #[arg(long, value_name = "LEAST-MOST")]
    pub(crate) stakes: Option<Stakes>,
    /// What to sit down with, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 1_000,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) buy_in: u32,
    /// Open a new table, even where you could go on at the last one
    #[arg(long)]
    pub(crate) new: bool,
    /// Play at a server instead of inside this program
    #[arg(long, value_name = "URL", env = "HOUSEWAY_SERVER")]
    pub(crate) server: Option<String>,
    /// Under which name; with `HOUSEWAY_PASSWORD`, the account of that name at a server
    #[arg(long, value_name = "NAME", env = "HOUSEWAY_NAME")]
    pub(crate) name: Option<String>,
    /// Where everything is kept
    #[arg(long, value_name = "FOLDER", env = "HOUSEWAY_DATA", default_value = "houseway-data")]
    pub(crate) data: PathBuf,
    /// Draw with nothing but ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// The least and the most of a wager, as typed: `25-2500`.
#[derive(Clone, Copy)]
pub(crate) struct Stakes {
    pub(crate) least: u32,
    pub(crate) most: u32,
}

impl std::str::FromStr for Stakes {
    type Err = String;

    fn from_str(text: &str) -> Result<Stakes, String> {
        let wrong = || format!("`{text}` is no range of dollars: write 25-2500");
        let (least, most) = text.split_once('-').ok_or_else(wrong)?;
        let dollars = |it: &str| it.trim_start_matches('$').parse().map_err(|_| wrong());
        let (least, most) = (dollars(least)?, dollars(most)?);
        match 0 < least && least <= most {
            true => Ok(Stakes { least, most }),
            false => Err(format!("{least} to {most} is no range: the least comes first")),
        }
    }
}

/// How bots set their hands.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum BotsSet {
    /// As the house would
    HouseWay,
    /// The way that is worth most
    Best,
}

#[derive(clap::Args)]
#[command(after_help = "Drills:
  house-way  set a hand as the house does, and learn by which clause
  best       set a hand the way that is worth most; any other is told its exact cost
  misset     see whether a hand lies the House Way, and put it right
  payout     say what a player wins or loses: commission, Fortune, Envy, coverage

What is answered wrong comes again: three questions later, then after 1, 3, 7 and
21 days. Progress is kept in the data folder. Every question has a number, and the
same number is the same question everywhere.

Examples:
  houseway train
  houseway train --drill house-way,misset --rules catfish-bend --questions 20
  houseway train --drill payout --rules all --log answers.jsonl
  houseway train --batch 40 --drill house-way --rules mbs-2020 --seed 7 | lp")]
pub(crate) struct Train {
    /// What to drill; a menu asks if nothing is said
    #[arg(long, short, value_enum, value_delimiter = ',', value_name = "DRILL")]
    pub(crate) drill: Vec<TrainDrill>,
    /// A rulebook's id, `all`, or a rulebook file; a menu asks if nothing is said
    #[arg(long, short, value_name = "ID|all|FILE")]
    pub(crate) rules: Option<String>,
    /// End after so many questions
    #[arg(long, short = 'n', value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) questions: Option<u32>,
    /// Print so many questions, 10,000 at most, then their answers; no terminal is needed
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["questions", "log", "name"],
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) batch: Option<u32>,
    /// Where chance starts: the same seed asks the same
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Add every answer to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Print the answers as JSON at the end, or the batch
    #[arg(long)]
    pub(crate) json: bool,
    /// Who answers, for the log
    #[arg(long, value_name = "NAME", env = "HOUSEWAY_NAME")]
    pub(crate) name: Option<String>,
    /// Where progress is kept
    #[arg(long, value_name = "FOLDER", env = "HOUSEWAY_DATA", default_value = "houseway-data")]
    pub(crate) data: PathBuf,
    /// Draw with nothing but ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
}

/// What can be drilled.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TrainDrill {
    /// Set a hand as the house does
    HouseWay,
    /// Set a hand the way that is worth most
    Best,
    /// See whether a hand lies the House Way
    Misset,
    /// Say what a player wins or loses
    Payout,
}

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogForm {
    /// For people
    Text,
    /// For programs, an object a line
    Json,
}

#[derive(clap::Args)]
#[command(after_help = "One JSON object a hand:
  {\"rules\":\"mbs-2020\",\"cards\":[…],\"low\":[…],\"high\":[…],\"clause\":\"A.2\",\"why\":\"…\",\"bonus\":\"none\"}
A wrong line of a batch gets {\"line\":n,\"error\":\"…\"} in its place and the exit code becomes 2.

Examples:
  houseway set Kc Kh 5s 5h Ac 6d 4s
  houseway set --rules all --json 'A♠ @ Q♦ Q♥ 2♠ 2♦ 4♣'
  houseway set --rules my-house.toml --json - < hands.txt")]
pub(crate) struct Set {
    /// Seven cards; `-` reads hands from standard input, one a line
    #[arg(required = true, value_name = "CARD")]
    pub(crate) cards: Vec<String>,
    /// A rulebook's id, `all`, or a rulebook file
    #[arg(
        long,
        short,
        value_name = "ID|all|FILE",
        default_value = "mbs-2020",
        env = "HOUSEWAY_RULES"
    )]
    pub(crate) rules: String,
    /// Answer in JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  houseway rank 9c 9d 9h Tc Jd Qs Kh
  houseway rank --rules catfish-bend --json Jk 5h 4d 3c 2s Kd Kh")]
pub(crate) struct Rank {
    /// Seven cards
    #[arg(required = true, value_name = "CARD")]
    pub(crate) cards: Vec<String>,
    /// A rulebook's id or a rulebook file: it ranks the wheel, pays the bonus, sets the House Way
    #[arg(long, short, value_name = "ID|FILE", default_value = "mbs-2020", env = "HOUSEWAY_RULES")]
    pub(crate) rules: String,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Chances are counted over all 53,524,680 hands the banker can be dealt, set
the House Way. Values are the average gain for each unit wagered, commission
included.

Examples:
  houseway advise Ac Kd Ks Qh Jd Ts 3c
  houseway advise --rules catfish-bend --waived --json Jk 5h 4d 3c 2s Kd Kh")]
pub(crate) struct Advise {
    /// Seven cards
    #[arg(required = true, value_name = "CARD")]
    pub(crate) cards: Vec<String>,
    /// A rulebook's id or a rulebook file
    #[arg(long, short, value_name = "ID|FILE", default_value = "mbs-2020", env = "HOUSEWAY_RULES")]
    pub(crate) rules: String,
    /// Count without commission, as where a Fortune Bonus wager waives it
    #[arg(long)]
    pub(crate) waived: bool,
    /// Whose hand it is: with `banker`, that of a player who holds the bank and sets freely
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value = "player")]
    pub(crate) side: Side,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "Everything is counted, nothing sampled: counts are whole numbers, and edges
are quotients of them. The answers of the five houses are shipped; others are
counted once and kept under HOUSEWAY_CACHE or ~/.cache/houseway, by what the
rulebook says.

Examples:
  houseway odds bonus --rules cardroom
  houseway odds game --rules mbs-2020 --by
  houseway odds game --rules cardroom --player optimal
  houseway odds game --rules catfish-bend --player optimal --as banker
  houseway odds differences --rules mbs-2020 --against cardroom
  houseway odds tiger --rules commission-free --json"
)]
pub(crate) struct Odds {
    #[command(subcommand)]
    pub(crate) bet: Bet,
}

#[derive(Subcommand)]
pub(crate) enum Bet {
    /// The main game over all 8,250,459,031,214,400 deals
    Game(Game),
    /// What the House Way is worth against the best setting or another house's
    Differences(Differences),
    /// The Fortune Bonus, over all 154,143,080 hands
    Bonus(Asked),
    /// Tiger 9, over all 154,143,080 hands
    Tiger(Asked),
    /// The Envy Bonus by number of other hands, and where a waived commission pays for the bet
    Envy(Asked),
}

impl Bet {
    pub(crate) fn asked(&self) -> &Asked {
        match self {
            Bet::Game(game) => &game.asked,
            Bet::Differences(differences) => &differences.asked,
            Bet::Bonus(asked) | Bet::Tiger(asked) | Bet::Envy(asked) => asked,
        }
    }
}

/// What every question about odds has.
#[derive(clap::Args)]
pub(crate) struct Asked {
    /// A rulebook's id or a rulebook file
    #[arg(long, short, value_name = "ID|FILE", default_value = "mbs-2020", env = "HOUSEWAY_RULES")]
    pub(crate) rules: String,
    /// Count anew what is shipped or was kept from before
    #[arg(long)]
    pub(crate) recompute: bool,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Counting takes some seconds of all cores, with optimal settings most of a
minute and a gigabyte; the five houses' answers are there at once.

Examples:
  houseway odds game --rules mbs-2020 --by category
  houseway odds game --rules catfish-bend --player optimal --waived
  houseway odds game --rules my-house.toml --json")]
pub(crate) struct Game {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// How the one whose side it is sets; the other side sets the House Way
    #[arg(long, value_enum, default_value = "house-way")]
    pub(crate) player: Player,
    /// Whose side: with `banker`, a player who holds the bank against one hand
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value = "player")]
    pub(crate) side: Side,
    /// With the commission waived, as by a Fortune Bonus wager
    #[arg(long)]
    pub(crate) waived: bool,
    /// Break it down by the clause that sets the player's hand the House Way, or by what the best
    /// five of the seven cards are
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, default_missing_value = "clause")]
    pub(crate) by: Option<By>,
}

#[derive(clap::Args)]
#[command(after_help = "Hands are grouped by the clauses that set them, what matters most first.
With --as banker, it is the dealer who sets by the other sheet: what that
costs or brings whoever banks.

Examples:
  houseway odds differences --rules mbs-2020
  houseway odds differences --rules mbs-2020 --against cardroom
  houseway odds differences --rules mbs-2020 --against cardroom --as banker")]
pub(crate) struct Differences {
    #[command(flatten)]
    pub(crate) asked: Asked,
    /// Compare with this rulebook's House Way instead of with the best setting
    #[arg(long, value_name = "ID|FILE")]
    pub(crate) against: Option<String>,
    /// Who sets the other way
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value = "player")]
    pub(crate) side: Side,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Side {
    /// Who wagers
    Player,
    /// Who holds the bank and wins copies
    Banker,
}

impl Side {
    pub(crate) fn seat(self) -> houseway_odds::Seat {
        match self {
            Side::Player => houseway_odds::Seat::Player,
            Side::Banker => houseway_odds::Seat::Banker,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum By {
    /// The clause that sets the hand the House Way
    Clause,
    /// What the best five of the seven cards are
    Category,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Player {
    /// By the House Way; some seconds
    HouseWay,
    /// Each hand the way that is worth most, ties to the House Way; most of a minute
    Optimal,
}

#[derive(clap::Args)]
#[command(
    after_help = "A round is JSON: the rulebook, the bank, the banker's cards, and each position's
wagers, cards and the two cards laid in front. Amounts are cents, or text such
as \"$25\". A hand without `low` is set the House Way. A House Way that lies
wrong is pointed out, with the right one and the difference in money.
`irregularities` say what went wrong ({\"what\": \"no-cards\", \"position\": 3}),
`rulings` what was decided where no rule covers it, with the reason. A round that
a clause forbids is refused with it and the exit code 1; one that cannot be read
gets 2. With --json both are told as JSON.

Examples:
  houseway settle examples/rounds/mbs-2020.json
  houseway settle --json - < round.json
  houseway settle --schema > settle.schema.json"
)]
pub(crate) struct Settle {
    /// The round; `-` reads it from standard input
    #[arg(value_name = "FILE", required_unless_present = "schema")]
    pub(crate) round: Option<String>,
    /// Print the JSON Schema of a round
    #[arg(long)]
    pub(crate) schema: bool,
    /// Answer in JSON, transfers included
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(
    after_help = "A seed gives the same rounds on every machine. Each average has its standard
error, and where the figure can be counted, the exact one beside it.

Strategies: house-way, optimal, strongest-low, strongest-high, random

Examples:
  houseway simulate
  houseway simulate --rules catfish-bend --seats house-way,optimal --fortune 5
  houseway simulate --rules commission-free --rounds 10000000 --tiger 1 --plots plots"
)]
pub(crate) struct Simulate {
    /// A rulebook's id or a rulebook file
    #[arg(long, short, value_name = "ID|FILE", default_value = "mbs-2020", env = "HOUSEWAY_RULES")]
    pub(crate) rules: String,
    /// How each betting position sets its hands, one strategy a position
    #[arg(long, value_delimiter = ',', value_name = "STRATEGY", default_value = "house-way")]
    pub(crate) seats: Vec<houseway_simulate::Strategy>,
    /// How many rounds
    #[arg(long, default_value_t = 1_000_000)]
    pub(crate) rounds: u64,
    /// The standard wager of each position, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 100)]
    pub(crate) wager: u32,
    /// The Fortune Bonus wager of each position, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 0)]
    pub(crate) fortune: u32,
    /// The Tiger 9 wager of each position, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 0)]
    pub(crate) tiger: u32,
    /// What a banking player puts up, in dollars; as much as it takes, if nothing is said
    #[arg(long, value_name = "DOLLARS")]
    pub(crate) put_up: Option<u32>,
    /// The rake that a Designated Player pays, in dollars
    #[arg(long, value_name = "DOLLARS", default_value_t = 0)]
    pub(crate) rake: u32,
    /// The collection schedule, where there are some
    #[arg(long, value_name = "OPTION")]
    pub(crate) schedule: Option<u8>,
    /// Where chance starts
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write plots as SVG into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) plots: Option<PathBuf>,
    /// Answer in JSON; amounts in cents
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "The page needs no network and no other file. It says by which command each
figure is found, and the same rulebook gives the same page.

Examples:
  houseway report --rules mbs-2020
  houseway report --rules my-house.toml --out my-house.html")]
pub(crate) struct Report {
    /// A rulebook's id or a rulebook file
    #[arg(long, short, value_name = "ID|FILE", default_value = "mbs-2020", env = "HOUSEWAY_RULES")]
    pub(crate) rules: String,
    /// The file to write; `-` writes to standard output  [default: houseway-ID.html]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Count anew what is shipped or was kept from before
    #[arg(long)]
    pub(crate) recompute: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  houseway rules                             list the houses
  houseway rules catfish-bend                one in full, hands counted
  houseway rules mbs-2020 3.24.3             one clause
  houseway rules R17                         one reading
  houseway rules --diff mbs-2020 cardroom    where two differ
  houseway rules my-house.toml               prove and show a file")]
pub(crate) struct Rules {
    /// A rulebook's id, a rulebook file, or a reading such as R17
    #[arg(value_name = "ID|FILE")]
    pub(crate) rulebook: Option<String>,
    /// One clause of it
    #[arg(value_name = "CLAUSE")]
    pub(crate) clause: Option<String>,
    /// Show where two rulebooks differ, and how many of all hands they set differently
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["rulebook", "clause"])]
    pub(crate) diff: Option<Vec<String>>,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  houseway verify proof round-7.json --commitment 5ce1…
  houseway verify house --data houseway-data --heads heads.jsonl
  houseway verify house --keys /etc/houseway/keys
  houseway verify house --logs-only")]
pub(crate) struct Verify {
    #[command(subcommand)]
    pub(crate) what: VerifyWhat,
}

#[derive(Subcommand)]
pub(crate) enum VerifyWhat {
    /// Check that the cards of a round were settled before the first wager
    Proof(VerifyProof),
    /// Check that no log was changed, that the books balance and that history is as the logs say
    ///
    /// Every log is followed from its first entry to its last, and every balance is held against what
    /// moved. With the house's keys all tables are played again beside that: rounds and shares, their sums
    /// by day and the marks of tables must come out as they are kept. Nothing is written, and the house may
    /// be open meanwhile. `houseway admin rebuild` puts right what is not as the logs say.
    House(VerifyHouse),
}

#[derive(clap::Args)]
pub(crate) struct VerifyProof {
    /// The proof; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: String,
    /// What was published before the round
    #[arg(long, value_name = "HEX")]
    pub(crate) commitment: Option<String>,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct VerifyHouse {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Where logs stood when it was written down elsewhere: `houseway admin heads`
    #[arg(long, value_name = "FILE")]
    pub(crate) heads: Option<PathBuf>,
    /// The file with the house's keys, where it is not in the folder
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_KEYS")]
    pub(crate) keys: Option<PathBuf>,
    /// Leave out what is kept beside the logs, which takes the longest: rounds, sums and marks
    #[arg(long)]
    pub(crate) logs_only: bool,
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where a house is kept.
#[derive(clap::Args)]
pub(crate) struct Place {
    /// The configuration file of the house
    #[arg(long, value_name = "FILE", env = "HOUSEWAY_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// The folder where everything is kept: houseway-data, if nothing is said
    #[arg(long, value_name = "FOLDER", env = "HOUSEWAY_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// The PostgreSQL database, where it is kept there
    #[arg(long, value_name = "URL", env = "HOUSEWAY_DATABASE", hide_env_values = true)]
    pub(crate) database: Option<String>,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  echo 'a long passphrase' | houseway admin operator alice
  houseway admin people
  houseway admin role bob pit-manager --why 'runs the evening shift'
  houseway admin tables --json
  houseway admin heads > heads-2026-11-15.jsonl
  houseway admin backup /backups/houseway-2026-11-15.sqlite
  houseway admin hashes --config /etc/houseway.toml > /etc/houseway.hashes")]
pub(crate) struct Admin {
    #[command(subcommand)]
    pub(crate) what: AdminWhat,
    /// Answer in JSON, a line for each thing
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Subcommand)]
pub(crate) enum AdminWhat {
    /// Make someone an operator; the password comes on standard input or in `HOUSEWAY_PASSWORD`
    Operator {
        /// Their name
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// List everyone, with what they are to the house
    People {
        #[command(flatten)]
        place: Place,
    },
    /// Make someone player, dealer, pit-supervisor, pit-manager, gaming-shift-manager or operator
    Role {
        /// Their name
        name: String,
        /// What they are from now on
        role: Standing,
        /// Why, for the log
        #[arg(long, value_name = "TEXT")]
        why: String,
        #[command(flatten)]
        place: Place,
    },
    /// List all tables, with what is played there and when something last happened
    Tables {
        #[command(flatten)]
        place: Place,
    },
    /// Write balances, rounds and their sums anew from the logs; the house is closed meanwhile
    Rebuild {
        #[command(flatten)]
        place: Place,
        /// The file with the house's keys, where it is not in the folder
        #[arg(long, value_name = "FILE", env = "HOUSEWAY_KEYS")]
        keys: Option<PathBuf>,
    },
    /// Say whether a file has the keys that the house is run with
    Keys {
        #[command(flatten)]
        place: Place,
        /// The file, where it is not in the folder
        #[arg(long, value_name = "FILE", env = "HOUSEWAY_KEYS")]
        keys: Option<PathBuf>,
        /// Go on with these, because the old ones are lost: what those sealed stays unread
        #[arg(long)]
        adopt: bool,
    },
    /// Print where every log stands, to be kept elsewhere
    Heads {
        #[command(flatten)]
        place: Place,
    },
    /// Print the hashes of this program and of the files a house is run with, for `serve --hashes`
    Hashes {
        /// The configuration file of the house
        #[arg(long, value_name = "FILE", env = "HOUSEWAY_CONFIG")]
        config: Option<PathBuf>,
        /// A rulebook file that is given as a flag; can be given several times
        #[arg(long, value_name = "FILE")]
        rulebook: Vec<PathBuf>,
    },
    /// Copy everything into a file while the house is open
    Backup {
        /// The file, which must not be there
        #[arg(value_name = "FILE")]
        to: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Put a backup where a house is to be
    Restore {
        /// The backup
        #[arg(value_name = "FILE")]
        from: PathBuf,
        #[command(flatten)]
        place: Place,
    },
}
