//! Text values: escapes and line breaks.

/// Text as it was meant: escapes undone, line breaks as `\n`. In a `simple` text, which is one
/// line by definition, a line break is a blank.
pub(super) fn unescaped(raw: &str, simple: bool) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut signs = raw.chars().peekable();
    while let Some(sign) = signs.next() {
        let escaped = sign == '\\';
        let Some(sign) = (if escaped { signs.next() } else { Some(sign) }) else {
            break;
        };
        if sign == '\n' || sign == '\r' {
            if sign == '\r' {
                signs.next_if_eq(&'\n');
            }
            if !escaped {
                text.push(if simple { ' ' } else { '\n' });
            }
        } else {
            text.push(sign);
        }
    }
    text
}

/// Text as it is written. `colon` escapes colons too, which separate the parts of some values.
pub(super) fn push_escaped(output: &mut String, text: &str, colon: bool) {
    for sign in text.chars() {
        if matches!(sign, '\\' | ']') || (colon && sign == ':') {
            output.push('\\');
        }
        output.push(sign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        for (raw, text) in [
            (r"a\]b\\c\:d", r"a]b\c:d"),
            ("soft \\\nbreak", "soft break"),
            ("soft \\\r\nbreak", "soft break"),
            ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
            ("\\é", "é"),
            ("end\\", "end"),
        ] {
            assert_eq!(unescaped(raw, false), text);
        }
        assert_eq!(unescaped("one\r\ntwo", true), "one two");
    }
}
