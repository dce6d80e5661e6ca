//! Long answers in parts: the server takes 1 MiB at a time.

use std::collections::HashMap;

use super::message::LARGEST;

/// The header of a part: `UPLOAD/NUMBER/COUNT`, numbers from 0.
pub(crate) const HEADER: &str = "Tengen-Part";
/// Bytes of a part.
const PART: usize = 512 << 10;
/// More parts are not taken.
const MOST_PARTS: usize = 256;
/// So many bytes of unfinished answers are kept, all together; the oldest go first.
const MOST_BYTES: usize = 2 * LARGEST;

/// The parts of an answer with their headers; one without a header if it is short.
pub(crate) fn split(bytes: Vec<u8>, upload: &str) -> Vec<(Option<String>, Vec<u8>)> {
    if bytes.len() <= PART {
        return vec![(None, bytes)];
    }
    let count = bytes.len().div_ceil(PART);
    let header = |number| Some(format!("{upload}/{number}/{count}"));
    let parts = bytes.chunks(PART).map(<[u8]>::to_vec).enumerate();
    parts.map(|(number, part)| (header(number), part)).collect()
}

struct Upload<R> {
    parts: Vec<Option<Vec<u8>>>,
    receipts: Vec<R>,
    age: u64,
}

/// Puts parts together again, in whatever order they come, twice or not at all.
pub(crate) struct Parts<R> {
    uploads: HashMap<String, Upload<R>>,
    bytes: usize,
    clock: u64,
}

impl<R> Default for Parts<R> {
    fn default() -> Self {
        Self {
            uploads: HashMap::new(),
            bytes: 0,
            clock: 0,
        }
    }
}

/// What a part leads to.
#[derive(Debug, PartialEq)]
pub(crate) enum Joined<R> {
    /// All is there.
    Whole(Vec<u8>, Vec<R>),
    /// Others are missing.
    Wait,
    /// It is no part of anything.
    Nonsense(R),
}

impl<R> Parts<R> {
    /// Takes a part of what `whose` names (worker and job). What it had to give up for want of room comes second.
    pub(crate) fn add(
        &mut self,
        whose: &str,
        header: &str,
        bytes: Vec<u8>,
        receipt: R,
    ) -> (Joined<R>, Vec<R>) {
        let Some((upload, number, count)) = parsed(header) else {
            return (Joined::Nonsense(receipt), Vec::new());
        };
        self.clock += 1;
        let key = format!("{whose}/{upload}/{count}");
        let entry = self.uploads.entry(key.clone()).or_insert_with(|| Upload {
            parts: (0..count).map(|_| None).collect(),
            receipts: Vec::new(),
            age: 0,
        });
        entry.age = self.clock;
        entry.receipts.push(receipt);
        if entry.parts[number].is_none() {
            self.bytes += bytes.len();
            entry.parts[number] = Some(bytes);
        }
        if entry.parts.iter().all(Option::is_some)
            && let Some(whole) = self.uploads.remove(&key)
        {
            let bytes: Vec<u8> = whole.parts.into_iter().flatten().flatten().collect();
            self.bytes -= bytes.len();
            return (Joined::Whole(bytes, whole.receipts), Vec::new());
        }
        (Joined::Wait, self.make_room())
    }

    fn make_room(&mut self) -> Vec<R> {
        let mut given_up = Vec::new();
        while self.bytes > MOST_BYTES {
            let oldest = self.uploads.iter().min_by_key(|(_, upload)| upload.age);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            if let Some(upload) = self.uploads.remove(&key) {
                self.bytes -= upload.parts.iter().flatten().map(Vec::len).sum::<usize>();
                given_up.extend(upload.receipts);
            }
        }
        given_up
    }
}

fn parsed(header: &str) -> Option<(&str, usize, usize)> {
    let mut fields = header.split('/');
    let upload = fields
        .next()
        .filter(|upload| super::names::is_token(upload))?;
    let number: usize = fields.next()?.parse().ok()?;
    let count: usize = fields.next()?.parse().ok()?;
    let fits = (2..=MOST_PARTS).contains(&count) && number < count && fields.next().is_none();
    fits.then_some((upload, number, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_together_in_any_order_and_twice() {
        let bytes: Vec<u8> = (0..PART * 3 + 17).map(|n| (n % 251) as u8).collect();
        let parts = split(bytes.clone(), "u1");
        assert_eq!(parts.len(), 4);
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..20 {
            let mut mixed: Vec<_> = parts.iter().chain(&parts[..2]).cloned().collect();
            random.shuffle(&mut mixed);
            let mut joined = Parts::default();
            let mut whole = Vec::new();
            for (number, (header, part)) in mixed.into_iter().enumerate() {
                let header = header.expect("a long one");
                if let (Joined::Whole(bytes, receipts), _) =
                    joined.add("w/a", &header, part, number)
                {
                    whole.push((bytes, receipts.len()));
                }
            }
            assert_eq!(whole.len(), 1);
            assert_eq!(whole[0].0, bytes);
            assert!(whole[0].1 >= 4);
        }
        assert_eq!(split(vec![1], "u"), [(None, vec![1])]);
    }

    #[test]
    fn nonsense_is_recognised_and_others_do_not_mix() {
        let mut parts = Parts::default();
        for wrong in [
            "", "u", "u/0", "u/2/2", "u/0/1", "u/0/257", "u/x/3", "u/0/3/1", "a b/0/2",
        ] {
            let (joined, _) = parts.add("w/a", wrong, vec![1], 1);
            assert_eq!(joined, Joined::Nonsense(1), "{wrong}");
        }
        assert_eq!(parts.add("w/a", "u/0/2", vec![1], 1).0, Joined::Wait);
        assert_eq!(parts.add("v/a", "u/1/2", vec![2], 2).0, Joined::Wait);
        assert_eq!(
            parts.add("w/a", "u/1/2", vec![2], 3).0,
            Joined::Whole(vec![1, 2], vec![1, 3])
        );
    }

    #[test]
    fn what_nobody_finishes_makes_room() {
        let mut parts = Parts::default();
        let mut given_up = 0;
        for number in 0..12 {
            let (_, gone) = parts.add(
                "w/a",
                &format!("u{number}/0/2"),
                vec![0; MOST_BYTES / 8],
                number,
            );
            given_up += gone.len();
        }
        assert_eq!(given_up, 4);
    }
}
