//! Lines of any bytes, of bounded length.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read, in bytes. A whole game of Connect6 has 722 letters.
const LONGEST: usize = 4096;

/// What stood on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// A text without its end, LF or CR LF. Bytes that are not UTF-8 have become U+FFFD.
    Line(String),
    /// More than was kept.
    Overlong,
}

/// The next line; `None` at the end. The last line need not have an end.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Heard>> {
    let mut kept = Vec::new();
    let mut length = 0;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let at_end = bytes.is_empty();
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        length += part.len();
        kept.extend_from_slice(&part[..part.len().min(LONGEST + 2 - kept.len())]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if at_end && length == 0 {
            return Ok(None);
        }
        if at_end || end.is_some() {
            break;
        }
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Ok(Some(if kept.len() > LONGEST {
        Heard::Overlong
    } else {
        Heard::Line(String::from_utf8_lossy(&kept).into_owned())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(bytes: &[u8], buffer: usize) -> Vec<Heard> {
        let mut input = BufReader::with_capacity(buffer, bytes);
        let next = || next_line(&mut input).expect("memory cannot fail");
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_end_as_they_like() {
        let line = |text: &str| Heard::Line(text.to_owned());
        for buffer in [1, 3, 100] {
            let heard = all(b"a\r\n\nb\xff \nc\rd\ne", buffer);
            let expected = ["a", "", "b\u{fffd} ", "c\rd", "e"].map(line);
            assert_eq!(heard, expected, "buffer of {buffer}");
            assert_eq!(all(b"", buffer), []);
        }
    }

    #[test]
    fn long_lines_are_not_kept() {
        let fits = vec![b'x'; LONGEST];
        let text = Heard::Line("x".repeat(LONGEST));
        assert_eq!(all(&[&fits[..], b"\r\n"].concat(), 64), [text]);
        let heard = all(&[&fits[..], b"xxxxx\nquit\n"].concat(), 64);
        assert_eq!(heard, [Heard::Overlong, Heard::Line("quit".to_owned())]);
    }
}
