//! What all targets ask of a format.

pub mod protocols;

use tengen_rules::Record;
use tengen_rules::notation::{Format, ReadOptions, read, write};

/// Reads the bytes; what can be read can be written and gives the same records again, in its own
/// format and in SGF. Playing the main line may fail but not panic.
pub fn read_write_read(format: Format, bytes: &[u8]) {
    Format::detect(bytes);
    let Ok(records) = read(format, bytes, &ReadOptions::default()) else {
        return;
    };
    for record in &records {
        let _ = record.position(record.main_end());
    }
    assert_eq!(
        again(format, &records),
        records,
        "{format} changes the records"
    );
    // Reading SGF guesses who plays first unless the file says it, so even this is exact.
    assert_eq!(
        again(Format::Sgf, &records),
        in_one_line(records),
        "SGF changes the records"
    );
}

fn again(format: Format, records: &[Record]) -> Vec<Record> {
    let written = write(format, records).expect("what was read can be written");
    read(format, &written, &ReadOptions::default()).expect("what was written can be read")
}

/// Names, labels and facts are single lines in SGF; other formats may have line breaks there.
fn in_one_line(mut records: Vec<Record>) -> Vec<Record> {
    let flatten = |text: &mut String| *text = text.replace("\r\n", " ").replace(['\r', '\n'], " ");
    for record in &mut records {
        let info = &mut record.info;
        for text in [
            &mut info.black,
            &mut info.white,
            &mut info.event,
            &mut info.place,
        ] {
            flatten(text);
        }
        for index in 0..record.len() {
            let id = tengen_rules::NodeId(index);
            if !record.node(id).labels.is_empty() {
                record.node_mut(id).labels.values_mut().for_each(flatten);
            }
        }
    }
    records
}
