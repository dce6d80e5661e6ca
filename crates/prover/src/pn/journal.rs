//! Records on disk while a search goes on: appended as they are found, so that whoever is killed loses only what was
//! not proved yet.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::patterns::Fives;
use super::record::{Record, Records};
use super::symmetry::Encoding;

const MAGIC: &[u8; 8] = b"TENGENGJ";

/// Where records go when they are found.
#[derive(Debug)]
pub(crate) enum Kept {
    /// Nowhere else than into memory.
    Nowhere,
    /// Into a file.
    Journal(Journal),
    /// To whoever has asked for them; these he does not have yet, as far as is known.
    Fresh(HashSet<Encoding>),
}

impl Kept {
    /// These are found.
    pub(crate) fn add(&mut self, records: &[Record]) -> io::Result<()> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Journal(journal) => journal.append(records),
            Self::Fresh(fresh) => {
                fresh.extend(records.iter().map(|record| record.position.clone()));
                Ok(())
            }
        }
    }
}

/// A file of records, open at its end.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    size: (usize, usize),
}

impl Journal {
    /// Opens a journal, or begins one; what it has goes to `records`. What was half written when somebody was killed is
    /// cut off.
    pub(crate) fn open(
        path: &Path,
        size: (usize, usize),
        wins: Fives,
        records: &Records,
    ) -> io::Result<Self> {
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let header = header(size, wins);
        if bytes.len() < header.len() && header.starts_with(&bytes) {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&header)?;
        } else if !bytes.starts_with(&header) {
            let reason = "it is no journal of this game and board";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        } else {
            let mut at = header.len();
            while let Some((record, next)) = read_frame(size, &bytes, at) {
                records.insert(size, &record);
                at = next;
            }
            file.set_len(at as u64)?;
            file.seek(io::SeekFrom::End(0))?;
        }
        let path = path.to_owned();
        Ok(Self { path, file, size })
    }

    /// Appends records, all of them or, if somebody is killed, the first of them.
    pub(crate) fn append(&mut self, records: &[Record]) -> io::Result<()> {
        self.file.write_all(&framed(self.size, records))?;
        self.file.sync_data()
    }

    /// Whole frames from this place on, as many as fit into so many bytes, but one at least if there is one. The first frame is at 0.
    pub(crate) fn frames(&self, from: u64, most: usize) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        file.seek(io::SeekFrom::Start(HEADER as u64 + from))?;
        let mut bytes = Vec::new();
        let mut most = most;
        loop {
            let wanted = most.saturating_sub(bytes.len());
            (&file).take(wanted as u64).read_to_end(&mut bytes)?;
            let mut end = 0;
            while let Some(next) = end_of_frame(&bytes, end) {
                end = next;
            }
            if end > 0 || bytes.len() < most {
                bytes.truncate(end);
                return Ok(bytes);
            }
            most *= 2;
        }
    }
}

/// Records as frames.
pub(crate) fn framed(size: (usize, usize), records: &[Record]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for record in records {
        let mut one = Vec::new();
        record.write(size, &mut one);
        bytes.extend_from_slice(&(one.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&checksum(&one).to_le_bytes());
        bytes.extend_from_slice(&one);
    }
    bytes
}

/// The records of frames; `None` if they are anything else.
pub(crate) fn unframed(size: (usize, usize), bytes: &[u8]) -> Option<Vec<Record>> {
    let (mut records, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let (record, next) = read_frame(size, bytes, at)?;
        records.push(record);
        at = next;
    }
    Some(records)
}

/// How long the header is.
const HEADER: usize = MAGIC.len() + 4;

fn header((width, height): (usize, usize), wins: Fives) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend([1, width as u8, height as u8, wins as u8]);
    header
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// Where the frame ends that begins here, if it is whole.
fn end_of_frame(bytes: &[u8], at: usize) -> Option<usize> {
    let end = (at + 8).checked_add(word(bytes, at)? as usize)?;
    (end <= bytes.len()).then_some(end)
}

fn read_frame(size: (usize, usize), bytes: &[u8], at: usize) -> Option<(Record, usize)> {
    let end = end_of_frame(bytes, at)?;
    let body = bytes.get(at + 8..end)?;
    if checksum(body) != word(bytes, at + 4)? {
        return None;
    }
    let (record, used) = Record::read(size, body)?;
    (used == body.len()).then_some((record, end))
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    let mix = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, mix)
}

#[cfg(test)]
mod tests {
    use super::super::strategy::Step;
    use super::*;

    fn record(stone: u8) -> Record {
        let step = |stone, replies: &[(u8, u16)]| Step {
            stone,
            replies: replies.to_vec(),
        };
        Record {
            position: Box::from([10, 11, stone, 40]),
            stone: 0x23,
            strategies: vec![
                vec![
                    step(0x11, &[(0x12, 1), (0x13, 2)]),
                    step(0x14, &[]),
                    step(0x15, &[]),
                ],
                vec![step(0x21, &[])],
            ],
        }
    }

    #[test]
    fn whatever_is_cut_off_the_rest_is_read() {
        let path = std::env::temp_dir().join(format!("tengen-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let size = (9, 8);
        let records = Records::default();
        let mut journal = Journal::open(&path, size, Fives::OrMore, &records).expect("new");
        journal.append(&[record(30), record(31)]).expect("written");
        journal.append(&[record(32)]).expect("written");
        let whole = std::fs::read(&path).expect("there");
        // Whatever fits, they are given out one frame at least, and whole ones.
        for most in [1, 30, 40, 1000] {
            let (mut frames, mut pieces) = (Vec::new(), 0);
            loop {
                let piece = journal.frames(frames.len() as u64, most).expect("read");
                if piece.is_empty() {
                    break;
                }
                pieces += 1;
                frames.extend(piece);
            }
            assert_eq!(frames, whole[HEADER..]);
            assert_eq!(pieces, if most == 1000 { 1 } else { 3 }, "{most}");
            let all = [record(30), record(31), record(32)];
            assert_eq!(unframed(size, &frames).as_deref(), Some(&all[..]));
            assert_eq!(unframed(size, &frames[1..]), None);
            assert_eq!(unframed(size, &frames[..frames.len() - 1]), None);
        }
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("cut");
            let records = Records::default();
            let mut journal = Journal::open(&path, size, Fives::OrMore, &records).expect("cut");
            let before = records.len();
            assert!(before <= 3 && (length < whole.len()) == (before < 3));
            journal.append(&[record(33)]).expect("written");
            let again = Records::default();
            Journal::open(&path, size, Fives::OrMore, &again).expect("whole again");
            assert_eq!(again.len(), before + 1);
            assert_eq!(again.get(size, &record(33).position), Some(record(33)));
        }
        // Another game is not taken for this one.
        assert!(Journal::open(&path, size, Fives::Exactly, &records).is_err());
        assert!(Journal::open(&path, (9, 9), Fives::OrMore, &records).is_err());
        std::fs::remove_file(&path).expect("there");
    }
}
