//! The program as its users meet it: arguments and lines in, text, JSON and exit codes out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use serde_json::Value;

struct Answer {
    code: i32,
    out: String,
    err: String,
}

fn houseway(arguments: &[&str]) -> Answer {
    with_input(arguments, b"")
}

fn with_input(arguments: &[&str], input: &[u8]) -> Answer {
    let mut child = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("HOUSEWAY_RULES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // A program that refuses its arguments does not read: that is no fault of ours.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let Output { status, stdout, stderr } = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Answer {
        code: status.code().expect("an exit code"),
        out: String::from_utf8(stdout).expect("text"),
        err: String::from_utf8(stderr).expect("text"),
    }
}

fn lines(answer: &Answer) -> Vec<Value> {
    answer.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// A file in a folder of its own that goes away with it.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Scratch {
        let unique = format!("houseway-{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = env::temp_dir().join(unique.replace(['(', ')'], ""));
        fs::create_dir_all(&folder).expect("a scratch folder");
        let path = folder.join(name);
        fs::write(&path, content).expect("a scratch file");
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = self.0.parent().map(fs::remove_dir);
    }
}

/// Refused with exit code 2, nothing on standard output, and this on standard error.
fn refused(arguments: &[&str], why: &str) {
    let answer = houseway(arguments);
    assert_eq!(answer.code, 2, "{arguments:?}: {}", answer.err);
    assert_eq!(answer.out, "", "{arguments:?}");
    assert!(answer.err.contains(why), "{arguments:?} said: {}", answer.err);
    assert!(!answer.err.contains("panicked"), "{}", answer.err);
}

#[test]
fn set_answers_in_words() {
    let answer = houseway(&["set", "Kc", "Kh", "5s", "5h", "Ac", "6d", "4s"]);
    assert_eq!(answer.code, 0);
    assert_eq!(
        answer.out,
        "\
K♣ K♥ 5♠ 5♥ A♣ 6♦ 4♠   two pair, kings and fives, with a single ace

  Low   A♣ 6♦            ace-six
  High  K♥ K♣ 5♠ 5♥ 4♠   two pair, kings and fives
  mbs-2020 A.2          a low and a high pair stay High together, because a
                        single ace or joker can lead the Low hand.
"
    );
}

#[test]
fn set_answers_in_json_as_promised() {
    let answer = houseway(&["set", "--json", "Q♥ 10♥ 7♥ 6♥ 5♥ 10♣ 6♠"]);
    assert_eq!(
        answer.out,
        "{\"rules\":\"mbs-2020\",\"cards\":[\"Qh\",\"Th\",\"7h\",\"6h\",\"5h\",\"Tc\",\"6s\"],\
         \"low\":[\"6s\",\"6h\"],\"high\":[\"Qh\",\"Th\",\"Tc\",\"7h\",\"5h\"],\"clause\":\"A.2\",\
         \"why\":\"Two pair, tens and sixes, with a single queen: a low pair with a low or medium \
         one is split off Low, for want of a single king, ace or joker.\",\"bonus\":\"flush\"}\n"
    );
}

#[test]
fn all_compares_the_five() {
    let answer = houseway(&["set", "--rules", "all", "--json", "Jc Jh Js 4h 4c 3d 3s"]);
    let answers: Vec<(String, String)> = lines(&answer)
        .iter()
        .map(|it| (it["rules"].as_str().unwrap().into(), it["clause"].as_str().unwrap().into()))
        .collect();
    let expected = [
        ("mbs-2016", "A.6"),
        ("mbs-2020", "A.6"),
        ("cardroom", "C26"),
        ("commission-free", "F20"),
        ("catfish-bend", "B36"),
    ];
    assert_eq!(answers, expected.map(|(id, clause)| (id.to_string(), clause.to_string())));
    let words = houseway(&["set", "--rules", "all", "Jc Jh Js 4h 4c 3d 3s"]).out;
    assert_eq!(words.matches("Low   ").count(), 2, "houses that agree stand together:\n{words}");
}

#[test]
fn a_batch_answers_every_line_and_goes_on_after_a_wrong_one() {
    let input = b"Kc Kh 5s 5h Ac 6d 4s\n\nKc Kc 5s 5h Ac 6d 4s\nKc Kh 5s 5h Ac 6d\n\
        Kc Kh 5s 5h Ac 6d 4s 3s\nKc Kh 5s 5h Ac 6d Zz\nJk As Ks Qs Js Ts 2d\r\n";
    let answer = with_input(&["set", "--json", "-"], input);
    assert_eq!(answer.code, 2);
    let lines = lines(&answer);
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[0]["clause"], "A.2");
    for (line, error) in [
        (2, "no cards, but a hand has 7"),
        (3, "Kc is there twice"),
        (4, "6 cards, but a hand has 7"),
        (5, "8 cards, but a hand has 7"),
        (6, "`Zz` is not a card"),
    ] {
        assert_eq!(lines[line - 1]["line"], line);
        assert_eq!(lines[line - 1]["error"], error);
    }
    assert_eq!(lines[6]["bonus"], "royal-flush");
}

#[test]
fn a_batch_in_words_names_the_wrong_line() {
    let answer = with_input(&["set", "-"], b"Kc Kh 5s 5h Ac 6d 4s\nnothing\n");
    assert_eq!(answer.code, 2);
    assert_eq!(answer.out, "Ac 6d / Kh Kc 5s 5h 4s  A.2\nline 2: `nothing` is not a card\n");
}

#[test]
fn a_good_batch_ends_well_and_an_empty_one_too() {
    assert_eq!(with_input(&["set", "--json", "-"], b"Kc Kh 5s 5h Ac 6d 4s").code, 0);
    assert_eq!(with_input(&["set", "--json", "-"], b"").code, 0);
}

#[test]
fn a_binary_file_is_answered_line_by_line() {
    let mut input: Vec<u8> = (0..4096u32).map(|it| (it * 167 % 256) as u8).collect();
    input.extend(b"\nKc Kh 5s 5h Ac 6d 4s\n");
    let answer = with_input(&["set", "--json", "-"], &input);
    assert_eq!(answer.code, 2);
    let lines = lines(&answer);
    assert!(lines[0]["error"].is_string(), "{}", lines[0]);
    assert_eq!(lines.last().unwrap()["clause"], "A.2", "what follows is answered");
    assert!(
        lines.iter().any(|line| line["error"].as_str().is_some_and(|it| it.contains("not text")))
    );
}

#[test]
fn a_long_line_is_not_kept() {
    let mut input = vec![b'A'; 10_000_000];
    input.extend(b"\nKc Kh 5s 5h Ac 6d 4s\n");
    let lines = lines(&with_input(&["set", "--json", "-"], &input));
    assert_eq!(lines[0]["error"], "the line is longer than 1024 bytes");
    assert_eq!(lines[1]["clause"], "A.2");
}

#[test]
fn wrong_hands_are_refused() {
    refused(&["set", "As", "As", "Kd", "Qh", "Jc", "9s", "2d"], "As is there twice");
    refused(&["set", "As", "Kd", "Qh", "Jc", "9s", "2d"], "6 cards, but a hand has 7");
    refused(&["set", "As Kd Qh Jc 9s 2d 3c 4c"], "8 cards, but a hand has 7");
    refused(&["rank", "As", "Kd", "Qh", "Jc", "9s", "2d", "1x"], "`1x` is not a card");
    refused(&["set", "As", "Kd", "Qh", "Jc", "9s", "2d"], "such as Kc Kh 5s 5h Ac 6d 4s");
    refused(&["set"], "required");
}

#[test]
fn a_rulebook_id_that_is_nearly_right_gets_a_suggestion() {
    refused(&["set", "--rules", "mbs-2021", "As"], "did you mean `mbs-2020`?");
    refused(&["rules", "catfishbend"], "did you mean `catfish-bend`?");
    refused(&["rules", "--diff", "cardrom", "mbs-2020"], "did you mean `cardroom`?");
    refused(&["rules", "roulette"], "there are mbs-2016, mbs-2020, cardroom");
    refused(&["rules", "mbs-2020", "3.24.9"], "did you mean `3.24.");
    refused(&["set", "--rules", "no/such/file.toml", "As"], "cannot read no/such/file.toml");
}

#[test]
fn rank_says_what_cards_are() {
    let answer = houseway(&["rank", "--json", "9c 9d 9h Tc Jd Qs Kh"]);
    let ranked: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(ranked["best"]["name"], "straight, king high");
    assert_eq!(ranked["bonus"], "three-of-a-kind");
    assert_eq!(ranked["pays"], 3);
    let settings = ranked["settings"].as_array().unwrap();
    assert_eq!(settings.len(), 21);
    assert_eq!(settings.iter().filter(|it| it["house_way"] == true).count(), 1);

    // The joker with 2-3-4-5 is another straight where the wheel ranks second.
    let best = |rules| {
        let answer = houseway(&["rank", "--rules", rules, "--json", "Jk 5h 4d 3c 2s Kd Kh"]);
        let ranked: Value = serde_json::from_str(&answer.out).unwrap();
        ranked["best"]["name"].as_str().unwrap().to_string()
    };
    assert_eq!(best("mbs-2020"), "straight, six high");
    assert_eq!(best("catfish-bend"), "straight, five high");
}

#[test]
fn rules_lists_shows_and_compares() {
    let list: Value = serde_json::from_str(&houseway(&["rules", "--json"]).out).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 5);

    let one: Value = serde_json::from_str(&houseway(&["rules", "cardroom", "--json"]).out).unwrap();
    let hands: u64 =
        one["house_way"].as_array().unwrap().iter().map(|it| it["hands"].as_u64().unwrap()).sum();
    assert_eq!(hands, 154_143_080);

    let answer = houseway(&["rules", "--diff", "mbs-2016", "mbs-2020", "--json"]);
    let diff: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(diff["set_differently"], 0);
    assert!(diff["facts"].as_array().unwrap().iter().any(|it| it["topic"] == "conceding"));

    let diff = houseway(&["rules", "--diff", "mbs-2020", "catfish-bend"]).out;
    assert!(diff.contains("3,675,276 of 154,143,080 hands are set differently (2.38 %)"), "{diff}");

    assert!(houseway(&["rules", "mbs-2020", "3.24.3"]).out.contains("royal match"));
    assert!(houseway(&["rules", "r17"]).out.starts_with("R17  "));
}

/// Where there is no terminal, text is a page of 80 columns.
#[test]
fn nothing_is_wider_than_the_page() {
    let commands: [&[&str]; 7] = [
        &["rules"],
        &["rules", "mbs-2020"],
        &["rules", "commission-free"],
        &["rules", "cardroom", "C12"],
        &["rules", "R2"],
        &["rules", "--diff", "mbs-2020", "catfish-bend"],
        &["set", "--rules", "all", "As Jk Qd Qh 2s 2d 4c"],
    ];
    for command in commands {
        for line in houseway(command).out.lines() {
            assert!(line.chars().count() <= 80, "{command:?}: {line}");
            assert_eq!(line, line.trim_end(), "{command:?}");
        }
    }
}

#[test]
fn a_number_with_parts_stands_for_all_of_them() {
    let answer = houseway(&["rules", "mbs-2020", "5.18", "--json"]);
    let found: Value = serde_json::from_str(&answer.out).unwrap();
    let ids: Vec<&str> =
        found.as_array().unwrap().iter().filter_map(|it| it["id"].as_str()).collect();
    assert_eq!(ids, ["5.18.1", "5.18.2"]);
    refused(&["rules", "R99"], "readings are R1 to R28");
    refused(&["rank", "--rules", "all", "As"], "`all` is for `houseway set`");
}

#[test]
fn a_rulebook_is_shown_as_data_too() {
    let one: Value =
        serde_json::from_str(&houseway(&["rules", "commission-free", "--json"]).out).unwrap();
    let rulebook = &one["rulebook"];
    assert_eq!(rulebook["fortune"]["table"][0]["pays"], 2500);
    assert_eq!(rulebook["fortune"]["table"][0]["envy"], 100_000, "in cents");
    assert_eq!(rulebook["collection"]["schedules"]["schedules"][27]["bands"][4]["fee"], 7000);
    assert_eq!(rulebook["tiger-nine"]["pays"], 30);
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused() {
    refused(&["rules", "/dev/zero"], "is longer than 1048576 bytes");
}

#[test]
fn the_same_house_twice_differs_in_nothing() {
    let answer = houseway(&["rules", "--diff", "cardroom", "cardroom"]).out;
    assert!(answer.contains("alike in everything.\n"), "{answer}");
    assert!(answer.contains("\n0 of 154,143,080 hands"), "{answer}");
}

#[test]
fn completions_and_man_page_come_from_the_same_source() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = houseway(&["completions", shell]).out;
        assert!(script.contains("--rules") || script.contains("rules"), "{shell}");
    }
    let page = houseway(&["man"]).out;
    assert!(page.starts_with(".ie") || page.contains(".TH houseway"), "{page}");
    assert!(houseway(&["--help"]).out.contains("houseway set Kc Kh 5s 5h Ac 6d 4s"));
    for command in ["set", "rank", "rules"] {
        assert!(houseway(&[command, "--help"]).out.contains("Example"), "{command}");
    }
}

#[test]
fn a_rulebook_file_works_wherever_an_id_does() {
    let foxwoods = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/foxwoods.toml");
    let answer = houseway(&["set", "--rules", foxwoods, "--json", "Ac Kd Ks Qh Jd Ts 3c"]);
    assert_eq!(answer.err, "", "no warnings");
    let set: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(set["rules"], "foxwoods");
    assert_eq!(set["low"], serde_json::json!(["Ac", "Qh"]));
    let batch = with_input(&["set", "--rules", foxwoods, "--json", "-"], b"Ac Kd Ks Qh Jd Ts 3c\n");
    assert_eq!(batch.out, answer.out);
    let diff = houseway(&["rules", "--diff", "mbs-2020", foxwoods]);
    assert_eq!(diff.code, 0);
    assert!(diff.out.contains("alike in everything but the House Way"), "{}", diff.out);
}

fn file_refused(content: &str, why: &str) {
    let file = Scratch::new("house.toml", content);
    let answer = houseway(&["rules", file.path()]);
    assert_eq!(answer.code, 2, "{}", answer.out);
    assert!(answer.err.contains("house.toml: "), "the file is named: {}", answer.err);
    assert!(answer.err.contains(why), "{}", answer.err);
}

#[test]
fn a_rulebook_file_with_a_gap_is_refused() {
    file_refused("extends = \"cardroom\"\nremove = [\"C23\"]\n", "no clause sets");
}

#[test]
fn a_rulebook_file_that_fouls_is_refused() {
    file_refused(
        "extends = \"cardroom\"\n\n[[amend]]\nid = \"C21\"\nshape = \"one-pair\"\nlow = \"pair-of-first\"\nsays = \"x\"\n",
        "line 3: clause `C21` fouls",
    );
}

#[test]
fn a_rulebook_file_with_an_unknown_field_is_refused() {
    file_refused("extends = \"cardroom\"\nnmae = \"Ours\"\n", "line 2: unknown field `nmae`");
}

#[test]
fn a_rulebook_file_with_a_wrong_type_is_refused() {
    file_refused(
        "extends = \"cardroom\"\nname = 7\n",
        "line 2: invalid type: integer `7`, expected a string",
    );
}

#[test]
fn a_rulebook_file_that_is_not_toml_is_refused() {
    file_refused("extends = \"cardroom\"\nname", "line 2: key with no value");
    let file = Scratch::new("house.toml", [0xff, 0xfe, 0x00]);
    refused(&["rules", file.path()], "is not a text file");
}

#[test]
fn a_table_that_pays_less_for_a_rarer_hand_is_a_warning() {
    let file =
        Scratch::new("house.toml", "extends = \"mbs-2020\"\n[fortune.pays]\nroyal-flush = 40\n");
    let answer = houseway(&["rank", "--rules", file.path(), "--json", "As Ks Qs Js Ts 4d 2c"]);
    assert_eq!(answer.code, 0);
    assert!(
        answer.err.contains("warning: `royal-flush` pays 40 to 1, less than the more frequent `straight-flush` at 50 to 1"),
        "{}",
        answer.err
    );
    let ranked: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(ranked["pays"], 50, "paid as the best-paid hand it forms");
}

#[test]
fn a_clause_that_decides_nothing_is_a_warning() {
    let file = Scratch::new(
        "house.toml",
        "extends = \"mbs-2020\"\n\n[[amend]]\nid = \"new\"\nbefore = \"A.8\"\nshape = \"no-pair\"\nlow = \"second-and-third\"\nsays = \"too late.\"\n",
    );
    let answer = houseway(&["set", "--rules", file.path(), "Ac Kd Js 9h 7c 4d 3s"]);
    assert_eq!(answer.code, 0);
    assert!(answer.err.contains("house.toml: warning: line 3: clause `new`"), "{}", answer.err);
}

#[test]
fn a_reader_that_stops_reading_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(["set", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("piped");
    for _ in 0..20_000 {
        if stdin.write_all(b"Kc Kh 5s 5h Ac 6d 4s\n").is_err() {
            break;
        }
    }
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Counts are whole numbers, and sum to their base.
#[test]
fn advice_is_counted_over_all_banker_hands() {
    let answer = houseway(&["advise", "--json", "Ac Kd Ks Qh Jd Ts 3c"]);
    let advice: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(advice["deals"], 53_524_680);
    let settings = advice["settings"].as_array().unwrap();
    assert_eq!(settings.len(), 18);
    let mut last = f64::INFINITY;
    for setting in settings {
        let counts = ["win", "push", "lose"].map(|it| setting[it].as_u64().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), 53_524_680);
        let value = setting["value"].as_f64().unwrap();
        assert!(value <= last, "best first");
        last = value;
    }
    assert_eq!(settings[0]["low"], serde_json::json!(["Kd", "3c"]));
    assert_eq!(settings[0]["house_way"], true);
    assert_eq!(settings[0]["win"], 19_194_099);
    assert_eq!(settings[0]["cost"], 0.0);
    assert_eq!((&advice["as"], &advice["clause"]), (&"player".into(), &"A.5".into()));
    refused(&["advise", "--waived", "Ac Kd Ks Qh Jd Ts 3c"], "mbs-2020: nothing waives");
    refused(&["advise", "As"], "1 card, but a hand has 7");
}

#[test]
fn odds_of_the_side_bets_are_counted() {
    let answer = houseway(&["odds", "bonus", "--rules", "catfish-bend", "--json"]);
    let bonus: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(bonus["hands"], 154_143_080);
    assert_eq!(
        bonus["lines"][0],
        serde_json::json!({"category": "seven-card-straight-flush", "hands": 32, "pays": 8000})
    );
    let edge = bonus["house_edge"].as_f64().unwrap();
    assert!((edge - 11_970_096.0 / 154_143_080.0).abs() < 1e-15, "{edge}");

    let answer = houseway(&["odds", "tiger", "--rules", "commission-free", "--json"]);
    let tiger: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&tiger["win"], &tiger["pays"]), (&3_852_636.into(), &30.into()));
    refused(&["odds", "tiger", "--rules", "cardroom"], "cardroom has no Tiger 9 bet");
    refused(&["odds", "envy", "--rules", "cardroom"], "cardroom has no Envy Bonus");

    let answer = houseway(&["odds", "envy", "--rules", "commission-free", "--json"]);
    let envy: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(envy["per_other_hand"]["deals"].as_u64().unwrap() % 7, 0, "{envy}");
    assert_eq!(envy["by_others"].as_array().unwrap().len(), 6);
    assert_eq!(envy["by_others"][0]["dollars"], 0.0);
}

#[test]
fn odds_of_the_game_are_counted_over_all_deals() {
    let answer = houseway(&["odds", "game", "--rules", "mbs-2020", "--by", "--json"]);
    let game: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(game["deals"], 8_250_459_031_214_400_u64);
    assert_eq!(game["win"], 2_360_824_514_148_580_u64);
    let by = game["by"].as_array().unwrap();
    assert_eq!(
        by.iter().map(|it| it["deals"].as_u64().unwrap()).sum::<u64>(),
        8_250_459_031_214_400
    );
    for player in ["house-way", "optimal"] {
        let answer = houseway(&["odds", "game", "--by", "category", "--player", player, "--json"]);
        let game: Value = serde_json::from_str(&answer.out).unwrap();
        let by = game["by"].as_array().unwrap();
        assert_eq!(by.len(), 10);
        assert_eq!(
            (&by[9]["category"], &by[1]["category"]),
            (&"five-aces".into(), &"one-pair".into())
        );
        for count in ["win", "push", "lose"] {
            let sum: u64 = by.iter().map(|it| it[count].as_u64().unwrap()).sum();
            assert_eq!(game[count], sum, "{count}");
        }
    }
}

/// From the banker's side, wins and losses change places, and a player who banks pays commission.
#[test]
fn odds_of_the_bank_are_those_of_its_rules() {
    let game = |arguments: &[&str]| -> Value {
        let answer = houseway(&[&["odds", "game", "--json"], arguments].concat());
        serde_json::from_str(&answer.out).unwrap()
    };
    let player = game(&["--rules", "catfish-bend"]);
    let banker = game(&["--rules", "catfish-bend", "--as", "banker"]);
    assert_eq!((&player["win"], &player["lose"]), (&banker["lose"], &banker["win"]));
    assert_eq!(player["house_edge"], player["banker_gain"], "the house keeps the commission");
    let gain = player["player_banker_gain"].as_f64().unwrap();
    assert!((gain + banker["house_edge"].as_f64().unwrap()).abs() < 1e-15);
    let best = game(&["--rules", "catfish-bend", "--as", "banker", "--player", "optimal"]);
    assert!(best["house_edge"].as_f64() < banker["house_edge"].as_f64());
    let mbs = "mbs-2020: only the house banks";
    refused(&["odds", "game", "--as", "banker"], mbs);
    let sets = "cardroom: the banker's hand is set the House Way (C7)";
    let optimal = ["--rules", "cardroom", "--as", "banker", "--player", "optimal"];
    refused(&[&["odds", "game"], &optimal[..]].concat(), sets);
    refused(&["advise", "--rules", "cardroom", "--as", "banker", "Ac Kd Js 9h 7c 4d 3s"], sets);
    let by = ["odds", "game", "--rules", "catfish-bend", "--as", "banker", "--by"];
    refused(&by, "--by is by the player's hand");
}

/// A house's own hands that matter most, and the sum of all that the clauses give away.
#[test]
fn differences_are_told_in_money() {
    let answer = houseway(&["odds", "differences", "--rules", "mbs-2020", "--json"]);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(told["against"], "optimal");
    let gain = |it: &Value| it["gain"].as_f64().unwrap();
    let clauses = told["clauses"].as_array().unwrap();
    let sum: f64 = clauses.iter().map(gain).sum();
    let gains = ["gain", "other_gain"].map(|it| told[it].as_f64().unwrap());
    assert!((gains[1] - gains[0] - sum).abs() < 1e-12, "{sum}");
    let hands = told["hands"].as_array().unwrap();
    assert!(hands.is_sorted_by(|a, b| gain(a) >= gain(b)), "what matters most first");
    assert_eq!(hands[0]["low"], serde_json::json!(["Th", "5c"]));
    assert_eq!(hands[0]["other_low"], serde_json::json!(["Ac", "Kc"]));
    refused(&["odds", "differences", "--against", "casino"], "there is no rulebook `casino`");
    let banker = "the banker's hand is set the House Way (3.13)";
    refused(&["odds", "differences", "--as", "banker"], banker);
    // An option of one question is none of another's.
    refused(&["odds", "tiger", "--against", "cardroom"], "unexpected argument '--against'");
    refused(&["odds", "bonus", "--player", "optimal"], "unexpected argument '--player'");
}

/// What was counted for a rulebook file is kept; what is not that answer is counted again; and
/// work that is broken off leaves nothing behind.
#[test]
fn long_answers_are_kept_whole_or_not_at_all() {
    let cache = Scratch::new("cache", "");
    let folder = cache.0.parent().unwrap().join("answers");
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houseway"));
        command
            .args(["odds", "game", "--json", "--rules", "../../examples/foxwoods.toml"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("HOUSEWAY_CACHE", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    };
    let mut broken_off = run().spawn().unwrap();
    // It is in the middle of its work.
    let mut said = BufReader::new(broken_off.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("Counting")));
    broken_off.kill().unwrap();
    broken_off.wait().unwrap();
    let kept = || fs::read_dir(&folder).map_or(0, Iterator::count);
    assert_eq!(kept(), 0);

    let first = run().output().unwrap();
    assert!(String::from_utf8_lossy(&first.stderr).contains("Counting house-way for foxwoods"));
    assert_eq!(kept(), 1);
    let second = run().output().unwrap();
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(String::from_utf8_lossy(&second.stderr), "", "nothing is counted again");

    let file = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    // Half a file, or one in which a count was changed, is counted again.
    for other in [text[..text.len() / 2].to_string(), text.replacen("\"win\":", "\"win\":1", 1)] {
        fs::write(&file, other).unwrap();
        let again = run().output().unwrap();
        assert_eq!(again.stdout, first.stdout);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "counted again and kept");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A folder that cannot be written to costs time, not the answer.
#[test]
fn a_place_to_keep_answers_is_not_needed() {
    let file = Scratch::new("file", "");
    let answer = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(["odds", "bonus", "--rules", "cardroom", "--recompute", "--json"])
        .env("HOUSEWAY_CACHE", file.path())
        .output()
        .unwrap();
    assert_eq!(answer.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&answer.stderr).contains("not kept in"));
    let bonus: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(bonus["above_banker"]["lines"].as_array().unwrap().len(), 11);
}

#[test]
fn rounds_are_simulated_from_a_seed() {
    let simulate = |seed: &str| {
        let seats = ["--seats", "house-way,strongest-high,random", "--seed", seed];
        let bets = ["--rounds", "20000", "--fortune", "5", "--tiger", "1"];
        let rules = ["simulate", "--json", "--rules", "commission-free"];
        houseway(&[&rules[..], &seats, &bets].concat()).out
    };
    let first = simulate("7");
    assert_eq!(simulate("7"), first);
    assert_ne!(simulate("8"), first);
    let told: Value = serde_json::from_str(&first).unwrap();
    assert_eq!((&told["rounds"], &told["seed"]), (&20_000.into(), &7.into()));
    let seats = told["seats"].as_array().unwrap();
    for seat in seats {
        let counts = ["win", "push", "lose"].map(|it| seat[it].as_u64().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), 20_000);
        for bet in seat["bets"].as_array().unwrap() {
            assert!(bet["standard_error"].is_f64());
        }
    }
    assert!(seats[0]["bets"][0]["exact"].is_f64(), "the House Way is counted");
    assert!(seats[2]["bets"][0]["exact"].is_null(), "a random setting is not");
    refused(&["simulate", "--seats", "lucky"], "there is no strategy `lucky`");
    let seven = "house-way,house-way,house-way,house-way,house-way,house-way,house-way";
    refused(&["simulate", "--seats", seven], "1 to 6 betting positions, not 7");
    refused(&["simulate", "--rounds", "0"], "--rounds must be at least 1");
    refused(&["simulate", "--wager", "0"], "--wager must be at least 1");
    refused(&["simulate", "--tiger", "1"], "mbs-2020 has no Tiger 9 bet");
    let catfish = ["simulate", "--rules", "catfish-bend"];
    let steps = "--wager: $7 is not in steps of $5 (B1)";
    refused(&[&catfish[..], &["--wager", "7"]].concat(), steps);
    let most = "--fortune: $30 is above the maximum of $25 (B1)";
    refused(&[&catfish[..], &["--fortune", "30"]].concat(), most);
}

#[test]
fn plots_are_written_as_svg() {
    let scratch = Scratch::new("here", "");
    let folder = scratch.0.parent().unwrap().join("plots");
    let path = folder.to_str().unwrap();
    let answer = houseway(&["simulate", "--rounds", "5000", "--plots", path]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    for name in ["banker-gain.svg", "position-1.svg"] {
        let svg = fs::read_to_string(folder.join(name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
    fs::remove_dir_all(&folder).unwrap();
    refused(&["simulate", "--rounds", "50", "--plots", "/dev/null/x"], "cannot write /dev/null/x");
}

/// One page, nothing fetched, every house, the figures of the other commands in it.
#[test]
fn a_report_stands_alone() {
    for (rules, figures) in [
        ("mbs-2016", ["2.7242 %", "2.4416 %"]),
        ("mbs-2020", ["2.7242 %", "2,360,824,514,148,580"]),
        ("cardroom", ["1.0388 %", "Paid only above the banker"]),
        ("commission-free", ["2.4885 %", "22.5189 %"]),
        ("catfish-bend", ["7.7656 %", "-0.1864 %"]),
    ] {
        let answer = houseway(&["report", "--rules", rules, "--out", "-"]);
        assert_eq!(answer.code, 0, "{}", answer.err);
        for figure in figures {
            assert!(answer.out.contains(figure), "{rules}: {figure}");
        }
        for outside in ["src=", "href=", "@import", "url(", "<script"] {
            assert!(!answer.out.contains(outside), "{rules}: {outside}");
        }
        assert!(
            answer.out.contains("prefers-color-scheme: dark")
                && answer.out.contains("@media print")
        );
        let again = houseway(&["report", "--rules", rules, "--out", "-"]);
        assert_eq!(again.out, answer.out, "the same page again");
        assert!(answer.out.contains(env!("CARGO_PKG_VERSION")));
    }
    refused(&["report", "--out", "/dev/null/page.html"], "cannot write /dev/null/page.html");
}

/// What is no plain file stays what it is; a link is followed, and a file keeps its mode.
#[cfg(unix)]
#[test]
fn a_report_replaces_nothing_but_its_own_file() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let scratch = Scratch::new("page.html", "old");
    fs::set_permissions(&scratch.0, fs::Permissions::from_mode(0o600)).unwrap();
    let link = scratch.0.with_file_name("link.html");
    symlink(&scratch.0, &link).unwrap();
    assert_eq!(houseway(&["report", "--out", link.to_str().unwrap()]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&scratch.0).unwrap().starts_with("<!doctype html>"));
    assert_eq!(fs::metadata(&scratch.0).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(houseway(&["report", "--out", "/dev/null"]).code, 0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let left: Vec<_> = fs::read_dir(scratch.0.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 2, "no other file: {left:?}");
}

/// Every command that the report names can be typed.
#[test]
fn the_commands_of_a_report_work() {
    let page = houseway(&["report", "--rules", "catfish-bend", "--out", "-"]).out;
    let commands: std::collections::BTreeSet<&str> = page
        .split("<code class=command>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</code>"))
        .map(|(command, _)| command)
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        let mut words: Vec<&str> = command.split_whitespace().collect();
        assert_eq!(words.remove(0), "houseway");
        if words[0] == "report" {
            words.extend(["--out", "-"]);
        }
        let answer = houseway(&words);
        assert_eq!(answer.code, 0, "{command}: {}", answer.err);
    }
}

/// The round of an example, changed.
fn round(rules: &str, change: impl FnOnce(&mut Value)) -> String {
    let path = format!("{}/../../examples/rounds/{rules}.json", env!("CARGO_MANIFEST_DIR"));
    let mut round = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut round);
    round.to_string()
}

fn settle(round: &str) -> Answer {
    with_input(&["settle", "--json", "-"], round.as_bytes())
}

/// Every example is settled, each line with its clause, and the transfers move what the lines say.
#[test]
fn rounds_are_adjudicated() {
    for rules in ["mbs-2016", "mbs-2020", "cardroom", "commission-free", "catfish-bend"] {
        let answer = settle(&round(rules, |_| {}));
        assert_eq!(answer.code, 0, "{rules}: {}", answer.err);
        let settled: Value = serde_json::from_str(&answer.out).unwrap();
        let lines = settled["lines"].as_array().unwrap();
        assert!(!lines.is_empty());
        let amount = |it: &Value, name: &str| it[name].as_u64().unwrap();
        for line in lines {
            assert_eq!(amount(line, "stake"), amount(line, "taken") + amount(line, "back"));
            assert!(!line["clauses"].as_array().unwrap().is_empty(), "{line}");
        }
        let transfers = settled["transfers"].as_array().unwrap();
        let moved = |reason: &str| -> u64 {
            let of = transfers.iter().filter(|it| it["reason"] == reason);
            of.map(|it| amount(it, "amount")).sum()
        };
        let sum = |name: &str| -> u64 { lines.iter().map(|line| amount(line, name)).sum() };
        assert_eq!(moved("loss"), sum("taken"), "{rules}");
        assert_eq!(moved("win") + moved("envy"), sum("paid"), "{rules}");
        assert_eq!(moved("commission"), sum("commission"), "{rules}");
    }
    let answer = houseway(&["settle", "../../examples/rounds/commission-free.json"]);
    assert!(answer.out.contains("player 2            -$306"), "{}", answer.out);
}

/// A House Way that lies wrong is pointed out, with the right one and the difference in money.
#[test]
fn a_misset_house_way_is_pointed_out() {
    let wrong = round("mbs-2020", |round| {
        // The dealer left queen and ten behind: position 1's king-queen now wins against less.
        round["banker"]["low"] = serde_json::json!(["4h", "2s"]);
        round["seats"][0]["low"] = serde_json::json!(["Qs", "5d"]);
        round["seats"][0]["cards"] = serde_json::json!(["Ac", "Ad", "8s", "7s", "9c", "5d", "3h"]);
        round["seats"][0]["low"] = serde_json::json!(["9c", "8s"]);
    });
    let settled: Value = serde_json::from_str(&settle(&wrong).out).unwrap();
    let misset = &settled["missets"][0];
    assert_eq!(misset["spot"], "dealer");
    assert_eq!(misset["correct"], serde_json::json!(["Qh", "Tc"]));
    assert_eq!(misset["clause"], "A.1");
    // Position 1 would have won $95; set right it pushes.
    assert_eq!(misset["differences"][0], serde_json::json!([1, -9500]));
}

#[test]
fn irregularities_change_a_round() {
    let void = round("mbs-2020", |round| {
        round["irregularities"] = serde_json::json!([{"what": "foreign-card"}]);
    });
    let settled: Value = serde_json::from_str(&settle(&void).out).unwrap();
    assert_eq!(settled["void"], "5.1");
    assert!(settled["lines"].as_array().unwrap().iter().all(|line| line["taken"] == 0));
    let out = round("mbs-2020", |round| {
        round["irregularities"] = serde_json::json!([{"what": "player-hand-size", "position": 1}]);
    });
    let settled: Value = serde_json::from_str(&settle(&out).out).unwrap();
    assert_eq!(settled["lines"][0]["ending"], "returned");
    assert_eq!(settled["lines"][0]["clauses"], serde_json::json!(["5.7"]));
}

/// A late wager goes back; a player who is barred gets everything back; two fouls are counted; a
/// House Way that lies foul is pointed out.
#[test]
fn what_is_called_is_carried_out() {
    let settled = |text: &str| -> Value {
        let answer = settle(text);
        assert_eq!(answer.code, 0, "{}", answer.err);
        serde_json::from_str(&answer.out).unwrap()
    };
    let late = settled(&round("mbs-2020", |it| {
        it["irregularities"] = serde_json::json!([{"what": "late-wager", "position": 1}]);
    }));
    assert_eq!(late["lines"][0]["ending"], "returned");
    assert_eq!(late["lines"][0]["clauses"], serde_json::json!(["5.5"]));
    let barred = settled(&round("mbs-2020", |it| {
        it["seats"][2]["person"] = serde_json::json!(1);
        it["irregularities"] = serde_json::json!([{"what": "hand-shown", "position": 1}]);
    }));
    let returned = barred["lines"].as_array().unwrap().iter();
    let returned: Vec<&Value> = returned.filter(|line| line["ending"] == "returned").collect();
    assert_eq!(returned.len(), 2, "both positions of the player");
    let fouls = settled(&round("catfish-bend", |it| {
        it["seats"][0]["position"] = serde_json::json!(3);
        for place in 0..2 {
            it["seats"][place]["person"] = serde_json::json!(9);
        }
        it["seats"][0]["low"] = serde_json::json!(["Kc", "Kd"]);
        it["seats"][1]["low"] = serde_json::json!(["8c", "8d"]);
        it["seats"][1]["cards"] = serde_json::json!(["8c", "8d", "6h", "5s", "As", "Ks", "2d"]);
    }));
    let clauses: Vec<&Value> = fouls["notes"].as_array().unwrap().iter().collect();
    assert_eq!(clauses.len(), 2);
    assert!(clauses[1]["says"].as_str().unwrap().contains("dead"), "{clauses:?}");
    let foul = settled(&round("mbs-2020", |it| {
        it["banker"]["low"] = serde_json::json!(["Jc", "Jd"]);
    }));
    assert_eq!(foul["missets"][0]["correct"], serde_json::json!(["Qh", "Tc"]));
}

/// What is wrong with a round, and where.
#[test]
fn bad_rounds_are_refused_with_the_field() {
    let told = |rules: &str, change: &dyn Fn(&mut Value)| {
        let text = round(rules, |round| change(round));
        let answer = settle(&text);
        let said: Value = serde_json::from_str(&answer.out).unwrap();
        // What a clause forbids is refused; what cannot be read or cannot be is an error.
        let (fault, code) = match (said.get("refused"), said.get("error")) {
            (Some(refused), None) => (refused, 1),
            (None, Some(error)) => (error, 2),
            other => panic!("{other:?}"),
        };
        assert_eq!(answer.code, code);
        assert_eq!(fault.get("clause").is_some(), code == 1, "{fault}");
        let word = |name: &str| fault[name].as_str().unwrap().to_string();
        let clause = fault["clause"].as_str().map(|clause| format!(" ({clause})"));
        let line = format!("{}: {}{}", word("field"), word("why"), clause.unwrap_or_default());
        // People are told the same.
        let plain = with_input(&["settle", "-"], text.as_bytes());
        assert_eq!(plain.code, code);
        let told = if code == 1 { plain.out } else { plain.err };
        assert!(told.contains(&line), "{told:?} does not say {line:?}");
        line
    };
    let expect = |rules: &str, change: &dyn Fn(&mut Value), words: &str| {
        let said = told(rules, change);
        assert!(said.contains(words), "{said:?} does not say {words:?}");
    };
    let json = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    expect(
        "mbs-2020",
        &|it| it["seats"][0]["cards"][0] = json("\"Jc\""),
        "seats[0].cards[0]: Jc is there twice, or in another hand too (5.1)",
    );
    expect(
        "mbs-2020",
        &|it| it["seats"][0]["position"] = json("9"),
        "seats[0].position: there are positions 1 to 6",
    );
    expect("mbs-2020", &|it| it["seats"][0]["standard"] = json("-5"), "seats[0].standard: ");
    expect(
        "mbs-2020",
        &|it| it["seats"][0]["standard"] = json("1050"),
        "seats[0].standard: $10.50 is not whole dollars (R6)",
    );
    expect("mbs-2020", &|it| it["seats"][0]["low"] = json("[\"2h\",\"Kh\"]"), "seats[0].low: ");
    expect("mbs-2020", &|it| it["seats"][1]["position"] = json("1"), "the position is there twice");
    expect(
        "mbs-2020",
        &|it| it["bank"] = json(r#"{"position":1,"put-up":100}"#),
        "bank: only the house banks here",
    );
    expect(
        "mbs-2016",
        &|it| it["seats"][0]["conceded"] = json("true"),
        "a hand cannot be conceded here (R9)",
    );
    expect(
        "mbs-2016",
        &|it| it["irregularities"] = json(r#"[{"what":"hand-shown"}]"#),
        "mbs-2016 has no rule on",
    );
    expect(
        "cardroom",
        &|it| {
            it.as_object_mut().unwrap().remove("bank");
        },
        "bank: say who banks",
    );
    expect("cardroom", &|it| it["number"] = json("22"), "number: the number is from 1 to 21 (C5)");
    expect(
        "catfish-bend",
        &|it| it["bank"]["put-up"] = json("\"$20\""),
        "bank.put-up: $20 does not cover $175 (B14)",
    );
    expect(
        "catfish-bend",
        &|it| it["seats"][0]["standard"] = json("\"$7\""),
        "not in steps of $5 (B1)",
    );
    expect(
        "commission-free",
        &|it| it["posted"]["schedule"] = json("29"),
        "posted.schedule: one of the 28",
    );
    expect("commission-free", &|it| it["seats"][0]["wager"] = json("5"), "unknown field `wager`");
    expect(
        "mbs-2020",
        &|it| it["seats"][0]["tiger-nine"] = json("100"),
        "mbs-2020 has no such bet",
    );
    let huge = |it: &mut Value| {
        it["seats"][0]["standard"] = json("18446744073709551600");
        it["posted"] = json(
            r#"{"device":"machine","standard":{"minimum":1000,"maximum":18446744073709551600},"fortune":{"minimum":100,"maximum":10000}}"#,
        );
    };
    expect(
        "catfish-bend",
        &|it| it["seats"][0]["person"] = json("4"),
        "seats[1].person: a player may not have that many positions (B3)",
    );
    expect(
        "cardroom",
        &|it| it["seats"][0]["person"] = json("1"),
        "the banker does not wager against the bank",
    );
    expect(
        "catfish-bend",
        &|it| it["bank"]["fortune"] = json("\"$1,000\""),
        "bank.fortune: $1,000 is above the maximum of $25 (B1)",
    );
    expect("mbs-2020", &|it| it["rules"] = json("\"mbs-2021\""), "rules: there is no rulebook");
    expect("mbs-2020", &|it| it["banker"] = json("[]"), "banker.cards: the cards are missing");
    expect("mbs-2020", &|it| it["posted"] = json("[]"), "posted: a list is not an object");
    expect("mbs-2020", &huge, "posted.standard: a maximum of");
    expect(
        "mbs-2020",
        &|it| it["seats"][0]["standard"] = json("10.5"),
        "seats[0].standard: `10.5` is not an amount such as",
    );
    expect(
        "mbs-2020",
        &|it| it["seats"] = json("null"),
        "seats: nothing is there, and it must be a list",
    );
    let answer = settle("{\"rules\":");
    assert_eq!(answer.code, 2);
    let answer = settle(&format!("{} {{}}", round("mbs-2020", |_| {})));
    assert!(answer.out.contains("after the round"), "{}", answer.out);
    refused(&["settle", "no-such-file.json"], "cannot read no-such-file.json");
    let schema: Value = serde_json::from_str(&houseway(&["settle", "--schema"]).out).unwrap();
    assert_eq!(schema["required"], serde_json::json!(["rules"]));
}

/// The worked example of the page on fairness is proved; another commitment, or a card that was
/// changed, is not.
#[test]
fn a_proof_is_checked() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fairness.md");
    let page = fs::read_to_string(page).unwrap();
    let proof = page
        .split("```json")
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(block, _)| block.trim())
        .find(|block| block.contains("\"opened\""))
        .expect("a worked example");
    let scratch = Scratch::new("proof.json", proof);
    let file = scratch.0.to_str().unwrap();
    let commitment = serde_json::from_str::<Value>(proof).unwrap()["commitment"].clone();
    let commitment = commitment.as_str().unwrap();
    let answer = houseway(&["verify", "proof", file, "--commitment", commitment, "--json"]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let told: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&told["proved"], &told["whole"]), (&Value::Bool(true), &Value::Bool(false)));
    assert!(!told["cards"].as_array().unwrap().is_empty());
    let other = "0".repeat(64);
    let answer = houseway(&["verify", "proof", file, "--commitment", &other]);
    assert_eq!(answer.code, 1);
    assert!(answer.out.contains("another commitment"), "{}", answer.out);
    let card = told["cards"][0][1].as_str().unwrap();
    let changed = if card == "2c" { "3c" } else { "2c" };
    let spoiled = proof.replacen(&format!("\"{card}\""), &format!("\"{changed}\""), 1);
    let answer = with_input(&["verify", "proof", "-"], spoiled.as_bytes());
    assert_eq!(answer.code, 1, "{}", answer.out);
    assert!(answer.out.contains("Not proved"), "{}", answer.out);
    refused(&["verify", "proof", "no-such-file"], "cannot read no-such-file");
    let answer = with_input(&["verify", "proof", "-"], b"{}");
    assert_eq!(answer.code, 2);
    assert!(answer.err.contains("is no proof"), "{}", answer.err);
}

/// What cannot be meant is said before anything is opened.
#[test]
fn a_house_is_not_run_with_what_makes_no_sense() {
    let scratch = Scratch::new("keys", "");
    let here = scratch.0.parent().unwrap();
    let data = here.join("never").to_str().unwrap().to_string();
    let serve = |more: &[&str], why: &str| {
        refused(&[&["serve", "--listen", "127.0.0.1:0", "--data", &data], more].concat(), why);
    };
    for number in ["messages-per-second", "requests-per-second", "sockets", "head-milliseconds"] {
        serve(&[&format!("--{number}"), "0"], &format!("{number}: 0 lets nobody in"));
    }
    for origin in ["evil", "https://", "https://other.example/path", "ftp://other.example"] {
        serve(&["--origin", origin], &format!("origins: `{origin}` is no origin"));
    }
    serve(&["--public-url", "play.example"], "is no address; write `https://play.example`");
    let rulebook = |name: &str, text: &str| {
        let path = here.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let base = "extends = \"mbs-2020\"\nname = \"Ours\"\n";
    let ours = rulebook("ours.toml", base);
    let same_id = rulebook("theirs.toml", &format!("id = \"ours\"\n{base}"));
    let same_name = rulebook("more/ours.toml", &format!("id = \"more\"\n{base}"));
    let a_house = rulebook("own.toml", &format!("id = \"mbs-2016\"\n{base}"));
    let rulebooks = |some: [&str; 2], why: &str| {
        serve(&["--rulebook", some[0], "--rulebook", some[1]], why);
    };
    rulebooks([&ours, &same_id], "there is a rulebook `ours` already: give this one its own id");
    rulebooks([&ours, &same_name], "another rulebook file has that name");
    rulebooks([&ours, &a_house], "the id `mbs-2016` is a house's");
}

/// A house that nobody listens to stays open, and closes in order.
#[cfg(unix)]
#[test]
fn a_house_stays_open_when_nobody_reads_what_it_says() {
    let scratch = Scratch::new("keys", "");
    let data = scratch.0.parent().unwrap().join("unheard");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut serving = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(["serve", "--listen", &free.to_string(), "--data", data.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(serving.stdout.take());
    let opened = || {
        let mut house = std::net::TcpStream::connect(free).ok()?;
        house.write_all(b"GET /healthz HTTP/1.0\r\n\r\n").ok()?;
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut house, &mut answer).ok()?;
        Some(answer)
    };
    let answer = loop {
        if let Some(answer) = opened() {
            break answer;
        }
        assert_eq!(serving.try_wait().unwrap(), None, "it closed before anyone came");
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
    // It has said by then what nobody reads.
    for _ in 0..10 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(opened().is_some(), "it closed by itself");
    }
    let told = Command::new("kill").arg(serving.id().to_string()).status().unwrap();
    assert!(told.success());
    assert!(serving.wait().unwrap().success(), "it did not close in order");
}

/// A house is looked after from the command line: an operator, heads, a backup that is restored.
#[test]
fn a_house_is_looked_after() {
    let scratch = Scratch::new("keys", "");
    let folder = scratch.0.parent().unwrap();
    let data = folder.join("house");
    let data = data.to_str().unwrap();
    refused(&["verify", "house", "--data", data], "there is no house in");
    fs::create_dir_all(data).unwrap();
    // The first to open it makes it.
    let mut serving = Command::new(env!("CARGO_BIN_EXE_houseway"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data", data])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut out = BufReader::new(serving.stdout.take().unwrap());
    BufRead::read_line(&mut out, &mut first).unwrap();
    assert!(first.starts_with("Houseway is open at http://127.0.0.1:"), "{first}");
    let made =
        with_input(&["admin", "operator", "alice", "--data", data], b"correct horse staple\n");
    assert_eq!(made.code, 0, "{}", made.err);
    let short = with_input(&["admin", "operator", "bob", "--data", data], b"short\n");
    assert_eq!(short.code, 2, "{}", short.out);
    // People and their roles, for people and for programs.
    let people = houseway(&["admin", "people", "--data", data]);
    assert!(people.out.contains("alice: operator\n"), "{}", people.out);
    let role = ["admin", "role", "ALICE", "dealer", "--why", "another job", "--data", data];
    assert_eq!(houseway(&role).out, "alice is dealer now.\n");
    let people = houseway(&["admin", "people", "--json", "--data", data]);
    let alice: Value = serde_json::from_str(people.out.trim()).unwrap();
    assert_eq!((&alice["name"], &alice["standing"]), (&"alice".into(), &"dealer".into()));
    assert_eq!(alice["guest"], false);
    refused(&["admin", "role", "carol", "dealer", "--why", "x", "--data", data], "nobody called");
    refused(&["admin", "role", "alice", "king", "--why", "x", "--data", data], "king");
    refused(&["admin", "role", "alice", "dealer", "--why", " ", "--data", data], "say why");
    assert_eq!(houseway(&["admin", "tables", "--data", data]).out, "");
    refused(&["admin", "rebuild", "--data", data], "a house is open in");
    // What a configuration file says, where no flag says another.
    let config = folder.join("houseway.toml");
    fs::write(&config, "data = \"house\"\n").unwrap();
    let config = config.to_str().unwrap();
    assert_eq!(houseway(&["admin", "people", "--json", "--config", config]).out, people.out);
    assert_eq!(houseway(&["verify", "house", "--config", config]).code, 0);
    let heads = houseway(&["admin", "heads", "--data", data]).out;
    assert!(heads.contains("\"stream\":\"house\""), "{heads}");
    let anchors = folder.join("heads.jsonl");
    fs::write(&anchors, &heads).unwrap();
    let anchors = anchors.to_str().unwrap();
    let verified = houseway(&["verify", "house", "--data", data, "--heads", anchors]);
    assert_eq!(verified.code, 0, "{}", verified.out);
    let says = "History and reports are as the logs say: 0 rounds";
    assert!(verified.out.contains(says), "{}", verified.out);
    let verified = houseway(&["verify", "house", "--data", data, "--json"]);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!(verified["beside"], serde_json::json!({"rounds": 0, "marks": 0}));
    let backup = folder.join("backup.sqlite");
    let backup = backup.to_str().unwrap();
    assert_eq!(houseway(&["admin", "backup", backup, "--data", data]).code, 0);
    serving.kill().unwrap();
    serving.wait().unwrap();
    let other = folder.join("other");
    let other = other.to_str().unwrap();
    assert_eq!(houseway(&["admin", "restore", backup, "--data", other]).code, 0);
    assert_eq!(houseway(&["admin", "heads", "--data", other]).out, heads);
    refused(&["admin", "restore", backup, "--data", other], "is there already");
    let rebuilt = houseway(&["admin", "rebuild", "--data", data]);
    assert_eq!(rebuilt.out, "Everything was as the logs say.\n", "{}", rebuilt.err);
    let rebuilt = houseway(&["admin", "rebuild", "--json", "--data", data]);
    assert_eq!(rebuilt.out, "{\"balances\":0,\"rounds\":0,\"marks\":0}\n");
    // A house is not run with another's keys by mistake, and can be if its own are lost.
    let keys = folder.join("other-keys");
    fs::write(&keys, format!("1 {}\n", "ab".repeat(32))).unwrap();
    let keys = keys.to_str().unwrap();
    let own = format!("{data}/keys");
    let same = houseway(&["admin", "keys", "--data", other, "--keys", &own]);
    assert_eq!((same.code, same.err.as_str()), (0, ""), "{}", same.out);
    assert_eq!(houseway(&["admin", "keys", "--data", other, "--keys", keys]).code, 1);
    let says = "lacks keys that this house was run with, or has others";
    refused(&["serve", "--listen", "127.0.0.1:0", "--data", other, "--keys", keys], says);
    let adopted = houseway(&["admin", "keys", "--adopt", "--data", other, "--keys", keys]);
    assert_eq!(adopted.code, 0, "{}", adopted.err);
    assert_eq!(houseway(&["admin", "keys", "--data", other, "--keys", &own]).code, 1);
    let heads = houseway(&["admin", "heads", "--data", other]).out;
    // History is held against the logs, where the keys are at hand.
    let checked = |more: &[&str]| {
        let answer = houseway(&[&["verify", "house", "--data", data], more].concat());
        (answer.code, answer.out.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let file = format!("{data}/houseway.sqlite");
    let forge = |sql: &str| {
        let run = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])";
        assert!(Command::new("python3").args(["-c", run, &file, sql]).status().unwrap().success());
    };
    forge("insert into round_sum values (20000, 5, 'own', 'settled', 1, 7, 0)");
    let (code, says) = checked(&[]);
    assert_eq!(code, 1, "{says}");
    let wrong = "sum of 2024-10-04, table 5, own: rounds is kept as 1, and the log comes to 0";
    assert!(says.contains(wrong), "{says}");
    let (code, says) = checked(&["--logs-only"]);
    assert!(code == 0 && says.contains("was not checked: --logs-only leaves them out"), "{says}");
    refused(
        &["verify", "house", "--data", data, "--keys", keys],
        "lacks keys that the house is run",
    );
    refused(
        &["verify", "house", "--data", data, "--keys", "nowhere"],
        "there are no keys in nowhere",
    );
    assert_eq!(houseway(&["admin", "rebuild", "--data", data]).code, 0);
    assert_eq!(checked(&[]).0, 0);
    // Nor is there a round of a table that was never opened.
    forge(
        "insert into round values (999, 9, 3, 1, 'own', 0, 5, 'settled', null, 7, 0);
         insert into round_share values (999, 9, 1, 'standard', 0, 5, 'own', 'settled', 7, 7, 0, 0, 0);
         insert into round_share values (999, 8, 1, 'standard', 0, 5, 'own', 'settled', 7, 7, 0, 0, 0);
         insert into mark values ('table/999', 9, 'x')",
    );
    let (code, says) = checked(&[]);
    assert_eq!(code, 1, "{says}");
    for wrong in ["rounds end where the log has", "rounds have shares that", "marks stand where"] {
        assert!(says.contains(&format!("table/999: 1 {wrong}")), "{says}");
    }
    let rebuilt = houseway(&["admin", "rebuild", "--json", "--data", data]);
    assert_eq!(rebuilt.out, "{\"balances\":0,\"rounds\":2,\"marks\":1}\n", "{}", rebuilt.err);
    assert_eq!(checked(&[]).0, 0);
    let away = format!("{own}-away");
    fs::rename(&own, &away).unwrap();
    let (code, says) = checked(&[]);
    assert!(code == 0 && says.contains("was not checked: there are no keys in"), "{says}");
    assert!(says.contains("name their file with --keys"), "{says}");
    assert!(checked(&["--keys", &away]).1.contains("History and reports are as the logs say"));
    fs::rename(&away, &own).unwrap();
    // Money that no entry tells of is found without heads.
    forge("insert into move values ('house', 999, 0, 0, 'house/a', 'house/b', 1, 'x', null)");
    assert_eq!(checked(&[]).0, 1);
    // And a move at another time than its entry's.
    forge("insert into move values ('house', 1, 0, 0, 'house/a', 'house/b', 1, 'x', null)");
    let (code, says) = checked(&["--logs-only"]);
    assert_eq!(code, 1, "{says}");
    let wrong = "house: the moves of 1 entries are kept under another time than theirs; the first, of entry 1";
    assert!(says.contains(wrong), "{says}");
    // An anchor that no log reaches is a log that was cut, whatever was written down before or after it.
    let later = heads.replace("\"version\":", "\"version\":9");
    for kept in [later.clone(), format!("{heads}{later}"), format!("{later}{heads}")] {
        fs::write(anchors, kept).unwrap();
        let cut = houseway(&["verify", "house", "--data", other, "--heads", anchors]);
        assert_eq!(cut.code, 1, "{}", cut.out);
    }
    fs::write(anchors, format!("{heads}{heads}")).unwrap();
    assert_eq!(houseway(&["verify", "house", "--data", other, "--heads", anchors]).code, 0);
    fs::write(anchors, format!("{heads}{{}}")).unwrap();
    let line = heads.lines().count() + 1;
    let place = format!("heads.jsonl, line {line}");
    refused(&["verify", "house", "--data", other, "--heads", anchors], &place);
}
