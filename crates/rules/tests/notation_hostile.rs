//! No input makes a reader panic, overflow the stack, or take much more memory than its length.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use tengen_rules::notation::{
    Charset, Format, ReadOptions, parse_moves, parse_position, parse_setup, read, write,
};
use tengen_rules::{Action, Cell, Placement, Record, Rules, Setup, Side};

/// Reads in every way. What can be read can be written as SGF and read again.
fn attack(format: Format, bytes: &[u8]) {
    Format::detect(bytes);
    let options = |rules, charset| ReadOptions { rules, charset };
    let infinite = "inf,inf,6,2,3".parse().expect("rules");
    for options in [
        options(None, None),
        options(Some(Rules::GOMOKU), Some(Charset::Gbk)),
        options(Some(infinite), Some(Charset::ShiftJis)),
    ] {
        let Ok(records) = read(format, bytes, &options) else {
            continue;
        };
        assert!(!records.is_empty());
        for record in &records {
            let _ = record.position(record.main_end());
        }
        match write(Format::Sgf, &records) {
            Ok(written) => {
                let again = read(Format::Sgf, &written, &ReadOptions::default());
                assert_eq!(again.expect("our own SGF").len(), records.len());
            }
            // Set-ups may have stones beside the board.
            Err(error) => assert_eq!(format, Format::Setup, "{error}"),
        }
        if format != Format::Setup {
            // The rules of lines and libraries are not in the file.
            let written = match write(format, &records) {
                Ok(written) => written,
                Err(_) if options.rules.is_some() => continue,
                Err(error) => panic!("{format}: {error}"),
            };
            let again = read(
                format,
                &written,
                &ReadOptions {
                    charset: None,
                    ..options
                },
            )
            .unwrap_or_else(|error| panic!("{error}\n{}", written.escape_ascii()));
            assert_eq!(again, records, "{}", written.escape_ascii());
        }
    }
}

fn suite_files() -> Vec<(Format, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/records");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if let Some(format) = Format::from_extension(extension) {
            files.push((format, std::fs::read(&path).expect("a file")));
        }
    }
    assert!(files.len() >= 10);
    files
}

#[test]
fn every_truncation() {
    for (format, bytes) in suite_files() {
        for length in 0..bytes.len() {
            attack(format, &bytes[..length]);
        }
    }
}

#[test]
fn every_mutation_of_one_byte() {
    let values = [0, 1, 0x0a, 0x20, 0x40, 0x80, 0xff];
    let signs = *b"()[]{};:,.#\\AZaz019-+";
    for (format, bytes) in suite_files() {
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            for value in values.iter().chain(&signs) {
                changed[at] = *value;
                attack(format, &changed);
            }
            changed[at] = bytes[at].wrapping_add(1);
            attack(format, &changed);
            changed.remove(at);
            attack(format, &changed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in Format::ALL {
            attack(format, &bytes);
            let mut library = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec();
            library.extend(&bytes);
            attack(Format::Lib, &library);
        }
    }

    #[test]
    fn random_signs(text in r"[()\[\]{};:,.#\\ABWCGMSZLRUaj019 \n\-]{0,60}") {
        for format in Format::ALL {
            attack(format, text.as_bytes());
            attack(format, format!("(;{text})").as_bytes());
        }
        for rules in ["connect6", "7,4,4,2,1", "inf,inf,6,2,3"] {
            let rules = rules.parse().expect("rules");
            let _ = parse_moves(&text, rules);
            let _ = parse_setup(&text, rules);
            let _ = parse_position(&text, rules);
        }
    }
}

const DEEP: usize = 1_000_000;

#[test]
fn deep_trees() {
    // A million nodes in a line, in nested variations, and in a library.
    let line = format!("(;GM[4]{})", ";B[aa]".repeat(DEEP));
    let nested = format!("(;GM[4]{}{}", "(;B[aa]".repeat(DEEP), ")".repeat(DEEP + 1));
    for text in [line, nested] {
        let records = read(Format::Sgf, text.as_bytes(), &ReadOptions::default()).expect("reads");
        assert_eq!(records[0].len(), DEEP + 1);
        let written = write(Format::Sgf, &records).expect("writes");
        let again = read(Format::Sgf, &written, &ReadOptions::default()).expect("reads");
        assert_eq!(again, records);
        assert!(records[0].position(records[0].main_end()).is_err());
    }
    // Every node with a sibling.
    let mut record = Record::new(Setup::empty(Rules::GOMOKU));
    let mut at = Record::ROOT;
    for index in 0..DEEP / 2 {
        let side = Side::BOTH[index % 2];
        let stone = |x| {
            let cell = Cell::new(x, 3);
            Action::Place(Placement { side, cell })
        };
        record.add(at, stone(5));
        at = record.add(at, stone(6));
    }
    let records = [record];
    for format in [Format::Sgf, Format::Lib] {
        let written = write(format, &records).expect("writes");
        assert_eq!(
            read(format, &written, &ReadOptions::default()).expect("reads"),
            records
        );
    }
    let parentheses = "(".repeat(DEEP);
    assert!(read(Format::Sgf, parentheses.as_bytes(), &ReadOptions::default()).is_err());
}

/// One clear error, quickly, whatever is repeated.
#[test]
fn large_files() {
    const SIZE: usize = 12_000_000;
    let patterns: [(Format, &str, &str); 22] = [
        (Format::Sgf, "", "("),
        (Format::Sgf, "(", " "),
        (Format::Sgf, "(;", ";"),
        (Format::Sgf, "", "(;)"),
        (Format::Sgf, "(;", "(;"),
        (Format::Sgf, "(;", "B[aa]"),
        (Format::Sgf, "(;B", "[]"),
        (Format::Sgf, "(;", "C[a]"),
        (Format::Sgf, "(;MA", "[aa:ss]"),
        (Format::Sgf, "(;AB", "[aa:ss]"),
        (Format::Sgf, "(;AB[aa:ss]AE", "[aa]"),
        (Format::Sgf, "(;B[", "aa"),
        (Format::Sgf, "(;B[aa", "\\"),
        (Format::Sgf, "(;", "X"),
        (Format::Lib, "", "\x78\0"),
        (Format::Lib, "\x78\u{8}", "a"),
        (Format::Ccgc, "{[C6]", "[]"),
        (Format::Ccgc, "{[C6]", ";B(A,1)"),
        (Format::Psq, "Piskvorky 15x15, 0:0, 0\n", "1,1\n"),
        (Format::LittleGolem, "", "1\n"),
        (Format::Moves, "", "a1\n"),
        (Format::Setup, "", "to-move:B\n"),
    ];
    for (format, begin, pattern) in patterns {
        let mut text = begin.to_owned();
        text.push_str(&pattern.repeat(SIZE / pattern.len()));
        let start = Instant::now();
        let result = read(format, text.as_bytes(), &ReadOptions::default());
        let taken = start.elapsed();
        let Err(error) = result else {
            panic!("{format} {begin}{pattern} was read");
        };
        assert!(error.to_string().len() < 400, "{error}");
        assert!(
            taken < Duration::from_secs(20),
            "{format} {begin}{pattern}: {taken:?}"
        );
    }
    let garbage: Vec<u8> = (0..SIZE as u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for format in Format::ALL {
        assert!(read(format, &garbage, &ReadOptions::default()).is_err());
    }
}
