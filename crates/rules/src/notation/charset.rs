//! Character sets: old files do not say which one they use.
//!
//! [`Charset::guess`] is a guess. It is right for UTF-8 with near certainty and for texts of a few
//! words in the others most of the time; a single word can be misread. Give the set when you know
//! it. Decoding never fails: bytes that mean nothing become U+FFFD.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::{Encoding, GBK, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};

/// A character set of a text file.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8, what we write.
    Utf8,
    /// Western European.
    Windows1252,
    /// Simplified Chinese, GB2312 included.
    Gbk,
    /// Japanese.
    ShiftJis,
    /// Cyrillic.
    Windows1251,
}

impl Charset {
    /// All sets, with their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("utf-8", Self::Utf8),
        ("windows-1252", Self::Windows1252),
        ("gbk", Self::Gbk),
        ("shift-jis", Self::ShiftJis),
        ("windows-1251", Self::Windows1251),
    ];

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(_, set)| *set == self);
        known.expect("ALL lists every set").0
    }

    fn encoding(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Windows1252 => WINDOWS_1252,
            Self::Gbk => GBK,
            Self::ShiftJis => SHIFT_JIS,
            Self::Windows1251 => WINDOWS_1251,
        }
    }

    /// The text of these bytes in this set.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding().decode_without_bom_handling(bytes).0
    }

    /// The most likely set of a text.
    pub fn guess(bytes: &[u8]) -> Self {
        if str::from_utf8(bytes).is_ok() {
            return Self::Utf8;
        }
        let shape = Shape::of(bytes);
        let decodes = |set: Self| !set.encoding().decode_without_bom_handling(bytes).1;
        if shape.kana * 3 >= shape.high && decodes(Self::ShiftJis) {
            Self::ShiftJis
        } else if shape.only_pairs && shape.common_hanzi * 2 >= shape.runs && decodes(Self::Gbk) {
            Self::Gbk
        } else if shape.cyrillic * 4 >= shape.high * 3 && shape.high > shape.runs * 3 / 2 {
            Self::Windows1251
        } else {
            Self::Windows1252
        }
    }
}

/// What the bytes above 127 look like.
#[derive(Debug, Default)]
struct Shape {
    /// How many there are.
    high: usize,
    /// How many unbroken runs they form.
    runs: usize,
    /// Whether every run has even length and only bytes of GB2312.
    only_pairs: bool,
    /// Runs that begin with a common Chinese character or sign.
    common_hanzi: usize,
    /// Lead bytes of kana and Japanese signs in Shift-JIS.
    kana: usize,
    /// Letters of Windows-1251.
    cyrillic: usize,
}

impl Shape {
    fn of(bytes: &[u8]) -> Self {
        let mut shape = Self {
            only_pairs: true,
            ..Self::default()
        };
        for run in bytes
            .split(|byte| byte.is_ascii())
            .filter(|r| !r.is_empty())
        {
            shape.runs += 1;
            shape.high += run.len();
            shape.only_pairs &= run.len() % 2 == 0 && run.iter().all(|&byte| byte > 0xa0);
            shape.common_hanzi += usize::from(matches!(run[0], 0xa1 | 0xa3 | 0xb0..=0xd7));
            shape.kana += run.iter().filter(|b| matches!(b, 0x81..=0x83)).count();
            let letters = run.iter().filter(|b| matches!(b, 0xa8 | 0xb8 | 0xc0..));
            shape.cyrillic += letters.count();
        }
        shape
    }
}

/// The text of a file: the given set, or the one its byte-order mark or `label` names, or a guess.
pub(crate) fn decode_file<'a>(
    bytes: &'a [u8],
    charset: Option<Charset>,
    label: Option<&[u8]>,
) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    if let Some(charset) = charset {
        return charset.decode(bytes);
    }
    if let Some(encoding) = label.and_then(Encoding::for_label) {
        let (text, errors) = encoding.decode_without_bom_handling(bytes);
        if !errors {
            return text;
        }
    }
    Charset::guess(bytes).decode(bytes)
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text names no character set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` names no character set; expected utf-8, windows-1252, gbk, shift-jis or windows-1251"
)]
pub struct ParseCharsetError(String);

impl FromStr for Charset {
    type Err = ParseCharsetError;

    /// Also reads the usual other names, `gb2312` or `cp1252` for example.
    fn from_str(text: &str) -> Result<Self, ParseCharsetError> {
        let lower = text.trim().to_ascii_lowercase();
        let known = Self::ALL.iter().find(|(name, _)| *name == lower);
        if let Some((_, charset)) = known {
            return Ok(*charset);
        }
        let encoding = Encoding::for_label(lower.as_bytes());
        let known = Self::ALL
            .iter()
            .find(|(_, set)| Some(set.encoding()) == encoding);
        match known {
            Some((_, charset)) => Ok(*charset),
            None => Err(ParseCharsetError(super::error::shortened(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for (name, charset) in Charset::ALL {
            assert_eq!(name.parse(), Ok(charset));
            assert_eq!(charset.to_string(), name);
        }
        assert_eq!("GB2312".parse(), Ok(Charset::Gbk));
        assert_eq!("Shift_JIS".parse(), Ok(Charset::ShiftJis));
        assert!("koi8-r".parse::<Charset>().is_err());
        assert!("".parse::<Charset>().is_err());
    }

    #[test]
    fn short_texts_are_guessed() {
        for (text, charset) in [
            ("plain", Charset::Utf8),
            ("naïve 先手胜", Charset::Utf8),
            ("déjà vu, c'est gagné", Charset::Windows1252),
            ("Zug für Weiß", Charset::Windows1252),
            ("先手胜，黑棋必胜", Charset::Gbk),
            ("黒の必勝です。ここで四三", Charset::ShiftJis),
            ("чёрные выигрывают здесь", Charset::Windows1251),
        ] {
            let (bytes, _, unmappable) = charset.encoding().encode(text);
            assert!(!unmappable);
            assert_eq!(Charset::guess(&bytes), charset, "{text}");
            assert_eq!(charset.decode(&bytes), text);
        }
    }

    #[test]
    fn marks_and_labels_come_first() {
        assert_eq!(decode_file(b"\xef\xbb\xbfa", Some(Charset::Gbk), None), "a");
        assert_eq!(decode_file(b"\xff\xfea\0", None, None), "a");
        assert_eq!(decode_file(b"\xcf\xc8", None, Some(b"gb2312")), "先");
        assert_eq!(
            decode_file(b"\xcf\xc8", Some(Charset::Windows1252), None),
            "ÏÈ"
        );
    }
}
