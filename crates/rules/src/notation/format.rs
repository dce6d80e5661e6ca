//! The formats, their names, and how to recognise them.

use std::fmt;
use std::str::FromStr;

use encoding_rs::Encoding;

/// A way to write games.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Format {
    /// Stones in play order, one game per line.
    Moves,
    /// Set-ups, one per line.
    Setup,
    /// Smart Game Format, all dialects in, one out.
    Sgf,
    /// The Chinese Computer Games Championship's records of Connect6.
    Ccgc,
    /// Piskvork's saved games of Go-Moku.
    Psq,
    /// RenLib's libraries, 15x15 only.
    Lib,
    /// A collection of LittleGolem games: number and turns, one game per line.
    LittleGolem,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Moves,
        Self::Setup,
        Self::Sgf,
        Self::Ccgc,
        Self::Psq,
        Self::Lib,
        Self::LittleGolem,
    ];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Setup => "setup",
            Self::Sgf => "sgf",
            Self::Ccgc => "ccgc",
            Self::Psq => "psq",
            Self::Lib => "lib",
            Self::LittleGolem => "littlegolem",
        }
    }

    /// The name in messages.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Setup => "set-up",
            Self::Sgf => "SGF",
            Self::Ccgc => "CCGC",
            Self::Psq => "Piskvork",
            Self::Lib => "RenLib",
            Self::LittleGolem => "LittleGolem",
        }
    }

    /// What a file of this format begins with, for messages.
    pub(crate) const fn beginning(self) -> &'static str {
        match self {
            Self::Moves => "stones such as `J10 K11 L10`",
            Self::Setup => "a set-up such as `B:J10,K11 W:L12 to-move:W`",
            Self::Sgf => "`(;`",
            Self::Ccgc => "`{[C6]`",
            Self::Psq => "a line such as `Piskvorky 20x20, 0:0, 0`",
            Self::Lib => "a RenLib header (FF `RenLib` FF) or the centre move (78)",
            Self::LittleGolem => "a game number and turns such as `1 j10 j9l11`",
        }
    }

    /// The format that files with this extension have; `txt` has none of its own, see
    /// [`Format::detect`].
    pub fn from_extension(extension: &str) -> Option<Self> {
        let lower = extension.trim_start_matches('.').to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.name() == lower)
    }

    /// A guess from the content. It looks at the first kilobytes only and promises nothing about
    /// the rest: reading may still fail.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(4096)];
        if head.starts_with(b"\xffRenLib\xff") {
            return Some(Self::Lib);
        }
        if let [0x78, flags, rest @ ..] = head {
            // The centre and its flags; as text this would be `x` and something that is no row.
            let is_text = |b: &u8| b.is_ascii_graphic() || b.is_ascii_whitespace();
            let blank = flags.is_ascii_whitespace() && rest.iter().all(is_text);
            if !flags.is_ascii_alphanumeric() && !blank {
                return Some(Self::Lib);
            }
        }
        // All formats are ASCII up to where they can be told apart.
        let text = match Encoding::for_bom(head) {
            Some((encoding, length)) => encoding.decode_without_bom_handling(&head[length..]).0,
            None => String::from_utf8_lossy(head),
        };
        let text = text.trim_start();
        let after = |open: char| text.strip_prefix(open).map(str::trim_start);
        if after('(').is_some_and(|rest| rest.starts_with(';')) {
            return Some(Self::Sgf);
        }
        if after('{').is_some_and(|rest| rest.starts_with('[')) {
            return Some(Self::Ccgc);
        }
        if text
            .get(..7)
            .is_some_and(|word| word.eq_ignore_ascii_case("Piskvor"))
        {
            return Some(Self::Psq);
        }
        let lines = text.lines().map(super::lines::content);
        let known = lines
            .filter(|line| !line.is_empty() && super::lines::rules_named(line).is_none())
            .find_map(Self::detect_line);
        known.or_else(|| text.contains("(;").then_some(Self::Sgf))
    }

    fn detect_line(line: &str) -> Option<Self> {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let cell_next = |text: &str| super::cells::cell_at(text.trim_start()).is_ok();
        if line.contains(':') {
            let field = line.split(':').next()?.trim().to_ascii_lowercase();
            let known = ["b", "w", "black", "white", "to-move", "left"].contains(&field.as_str());
            known.then_some(Self::Setup)
        } else if digits > 0 {
            let rest = &line[digits..];
            if let Some(rest) = rest.strip_prefix('.') {
                cell_next(rest).then_some(Self::Moves)
            } else {
                (rest.starts_with([' ', '\t']) && cell_next(rest)).then_some(Self::LittleGolem)
            }
        } else {
            (line == "-" || cell_next(line)).then_some(Self::Moves)
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no format; expected moves, setup, sgf, ccgc, psq, lib or littlegolem")]
pub struct ParseFormatError(String);

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, ParseFormatError> {
        let lower = text.trim().to_ascii_lowercase();
        let known = Self::ALL.into_iter().find(|format| format.name() == lower);
        known.ok_or_else(|| ParseFormatError(super::error::shortened(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            assert_eq!(Format::from_extension(format.name()), Some(format));
        }
        assert_eq!(Format::from_extension(".SGF"), Some(Format::Sgf));
        assert_eq!(Format::from_extension("txt"), None);
        let error = "pdf".parse::<Format>().expect_err("no format");
        let names: Vec<&str> = Format::ALL.iter().map(|f| f.name()).collect();
        assert!(
            names.iter().all(|name| error.to_string().contains(name)),
            "{error}"
        );
    }

    #[test]
    fn content_is_recognised() {
        for (bytes, format) in [
            (&b"J10 K11 L10"[..], Some(Format::Moves)),
            (b"# a game\nrules gomoku\n\nh8", Some(Format::Moves)),
            (b"1.j10 2.i9l10", Some(Format::Moves)),
            (b"(-3,4) (5,6)", Some(Format::Moves)),
            (b"B:J10 W:K11 to-move:B", Some(Format::Setup)),
            (b"to-move: black", Some(Format::Setup)),
            (b" \n( ;FF[4])", Some(Format::Sgf)),
            (b"\xef\xbb\xbf(;B[j10])", Some(Format::Sgf)),
            (b"Dear friend, here it is: (;B[j10])", Some(Format::Sgf)),
            (b"{[C6][a B][b W]", Some(Format::Ccgc)),
            (b"Piskvorky 20x20, 7:7, 0", Some(Format::Psq)),
            (b"\xffRenLib\xff\x03\x04", Some(Format::Lib)),
            (b"\x78\x00\x79\x40", Some(Format::Lib)),
            (b"x10 y11", Some(Format::Moves)),
            (b"509154 j10 k11l9", Some(Format::LittleGolem)),
            (b"", None),
            (b"hello world", None),
            (b"\x00\x01\x02", None),
        ] {
            assert_eq!(Format::detect(bytes), format, "{}", bytes.escape_ascii());
        }
    }
}
