//! All games of the LittleGolem collection, when the file is there. It is not part of the project.

use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use tengen_rules::notation::{Format, ReadOptions, read, write};
use tengen_rules::{Outcome, Record, Rules};

#[test]
#[expect(clippy::print_stderr, reason = "says why nothing was tested")]
fn the_collection_is_read_and_replayed() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/littlegolem.txt.gz"
    );
    let Ok(file) = File::open(path) else {
        eprintln!("note: {path} is not there, nothing was tested");
        return;
    };
    let mut text = Vec::new();
    GzDecoder::new(file).read_to_end(&mut text).expect("gzip");
    assert_eq!(Format::detect(&text), Some(Format::LittleGolem));
    let records = read(Format::LittleGolem, &text, &ReadOptions::default()).expect("reads");
    assert_eq!(records.len(), 18_645);

    let (mut won, mut full_length, mut earlier) = (0, 0, 0);
    for record in &records {
        let cells = record.main_moves();
        let position = record.position(record.main_end()).expect("legal");
        let last = Rules::CONNECT6.side_of_stone(cells.len() - 1);
        let turns = cells.len() / 2 + 1;
        match position.outcome() {
            Some(Outcome::Win { side, .. }) => {
                assert_eq!(*side, last, "{}", record.info.source);
                won += 1;
            }
            Some(Outcome::Draw) => panic!("no board is full"),
            None if turns == 150 => full_length += 1,
            None => earlier += 1,
        }
        assert!(cells.len() % 2 == 1, "whole turns only");
    }
    assert_eq!((won, full_length, earlier), (5_733, 99, 12_813));

    // What we write is what was there.
    assert_same(Format::LittleGolem, &records, 0);
    let written = write(Format::LittleGolem, &records).expect("writes");
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8(bytes.to_vec()).expect("ASCII");
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    assert_eq!(lines(&written), lines(&text));
    for format in [Format::Sgf, Format::Ccgc] {
        assert_same(format, &records, 0);
    }
    // In these games the first stone of the last turn wins and another follows.
    assert_same(Format::Moves, &records, 119);
}

/// Writes and reads all games; `shorter` of them may lose their last stone.
fn assert_same(format: Format, records: &[Record], shorter: usize) {
    let written = write(format, records).expect("writes");
    let again = read(format, &written, &ReadOptions::default()).expect("reads again");
    assert_eq!(again.len(), records.len());
    let mut cut = 0;
    for (a, b) in again.iter().zip(records) {
        let (a, mut b) = (a.main_moves(), b.main_moves());
        if a.len() < b.len() {
            cut += 1;
            b.pop();
        }
        assert_eq!(a, b, "{format}");
    }
    assert_eq!(cut, shorter);
}
