//! How values are written into the file: sides, rules, times, digests.

use std::time::{SystemTime, UNIX_EPOCH};

use tengen_rules::{Position, Rules, Side, notation};

use crate::{Error, Result};

/// `black` or `white`.
pub(crate) const fn side_text(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// The side that a text names.
pub(crate) fn side(text: &str) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| side_text(side) == text)
}

/// The position that rules and a set-up or moves describe.
pub(crate) fn position(rules: &str, text: &str) -> Result<Position> {
    let refused = |reason: String| Error::Position {
        text: shortened(text),
        rules: shortened(rules),
        reason,
    };
    let parsed: Rules = rules
        .parse()
        .map_err(|error: tengen_rules::ParseRulesError| refused(error.to_string()))?;
    let position =
        notation::parse_position(text, parsed).map_err(|error| refused(error.to_string()))?;
    match position.outcome() {
        None => Ok(position),
        Some(_) => Err(refused("the game is over".to_owned())),
    }
}

/// Hostile texts do not fill messages.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// The text must be JSON.
pub(crate) fn json(what: &'static str, text: &str) -> Result<()> {
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(|_| ())
        .map_err(|error| Error::Json {
            what,
            reason: error.to_string(),
        })
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis() as i64)
}

/// 128 bits of FNV-1a.
pub(crate) fn digest(bytes: &[u8]) -> [u8; 16] {
    digest_of(&[bytes])
}

/// The same of several texts; `["a", "b"]` and `["ab"]` differ.
pub(crate) fn digest_of(parts: &[&[u8]]) -> [u8; 16] {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut state: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for (index, part) in parts.iter().enumerate() {
        // No UTF-8 text has this byte.
        let separator: &[u8] = if index == 0 { &[] } else { &[0xff] };
        for &byte in separator.iter().chain(*part) {
            state = (state ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }
    state.to_be_bytes()
}

/// As people and files write 16 bytes.
pub(crate) fn hex(bytes: &[u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(*bytes))
}

/// The 16 bytes that 32 hexadecimal digits mean.
pub(crate) fn from_hex(text: &str) -> Option<[u8; 16]> {
    let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = digits.then(|| u128::from_str_radix(text, 16).ok())?;
    value.map(u128::to_be_bytes)
}
