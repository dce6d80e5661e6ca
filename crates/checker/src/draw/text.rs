//! Reads a certificate, version 1 of `docs/drawn.md`, and refuses whatever is malformed.

use super::position::Cells;
use crate::tokens::shown;
use crate::verdict::Reason;

/// Cells of a board in answers.
const LETTERS: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&()*+,./:;<=>?@[]^_{|}~";

/// No number is larger.
const FAR: i32 = 999;

/// No turn has more stones.
const MOST_STONES: usize = 8;

/// A point of the plane, or a vector.
pub(super) type Point = (i32, i32);

/// A whole file, well formed but not believed.
#[derive(Debug)]
pub(super) struct Certificate {
    /// k
    pub(super) line: usize,
    /// p
    pub(super) per_turn: usize,
    pub(super) lattice: [Point; 2],
    pub(super) tiles: Vec<Tile>,
}

/// A board, where its copies lie, and White's answers on it.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) cells: Vec<Point>,
    /// Sets of indices into `cells`.
    pub(super) lines: Vec<Cells>,
    pub(super) images: Vec<Image>,
    pub(super) answers: Vec<AnswerLine>,
}

/// (x,y) goes to (E x + F y + X, G x + H y + Y).
#[derive(Debug)]
pub(super) struct Image {
    pub(super) symmetry: [i32; 4],
    pub(super) shift: Point,
}

impl Image {
    pub(super) fn of(&self, (x, y): Point) -> Point {
        let [e, f, g, h] = self.symmetry;
        (e * x + f * y + self.shift.0, g * x + h * y + self.shift.1)
    }
}

/// White's answers in one position: indices of cells, `None` for a stone that is not needed.
#[derive(Debug)]
pub(super) struct AnswerLine {
    pub(super) number: usize,
    pub(super) stones: Vec<Option<u8>>,
}

/// The lines that count, with their numbers from 1.
struct Reader<'a> {
    lines: Vec<(usize, &'a str)>,
    next: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Result<(usize, &'a str), Reason> {
        self.lines
            .get(self.next)
            .copied()
            .ok_or_else(|| Reason::general("the file ends before `end`; it may have been cut"))
    }

    fn take(&mut self) -> Result<(usize, &'a str), Reason> {
        let line = self.peek()?;
        self.next += 1;
        Ok(line)
    }

    /// The rest of a line that begins with this word.
    fn field(&mut self, name: &str) -> Result<(usize, &'a str), Reason> {
        let (number, line) = self.take()?;
        match rest_after(line, name) {
            Some(rest) => Ok((number, rest)),
            None => Err(Reason::at_line(
                number,
                format!("{} where `{name}` was expected", shown(line)),
            )),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.peek()
            .is_ok_and(|(_, line)| rest_after(line, name).is_some())
    }
}

/// What follows a word and a space, or nothing after the word alone.
fn rest_after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(name)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix(' ')
    }
}

pub(super) fn read(text: &str) -> Result<Certificate, Reason> {
    let lines = text
        .split('\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.strip_suffix('\r').unwrap_or(line)))
        .filter(|(_, line)| !line.starts_with('#') && !line.trim_ascii().is_empty())
        .collect();
    let mut reader = Reader { lines, next: 0 };
    let (number, version) = reader.field(super::MAGIC)?;
    if version != "1" {
        return Err(Reason::at_line(number, "the version is not 1"));
    }
    let (number, claim) = reader.field("claim")?;
    let [line, per_turn] = whole(number, claim)?;
    let within = |value: i32, most: usize| {
        usize::try_from(value)
            .ok()
            .filter(|value| (1..=most).contains(value))
    };
    let line = within(line, FAR as usize);
    let per_turn = within(per_turn, MOST_STONES);
    let (Some(line), Some(per_turn)) = (line, per_turn) else {
        let message = format!("expected `claim K P` with K to {FAR} and P to {MOST_STONES}");
        return Err(Reason::at_line(number, message));
    };
    let (number, vectors) = reader.field("lattice")?;
    let lattice = points(number, vectors)?;
    let lattice = <[Point; 2]>::try_from(lattice)
        .map_err(|_| Reason::at_line(number, "a lattice has two vectors"))?;
    let mut tiles = Vec::new();
    while reader.has("tile") {
        let (number, rest) = reader.field("tile")?;
        if !rest.is_empty() {
            return Err(Reason::at_line(number, "something follows `tile`"));
        }
        tiles.push(tile(&mut reader)?);
    }
    let (number, rest) = reader.field("end")?;
    if !rest.is_empty() || reader.next != reader.lines.len() {
        return Err(Reason::at_line(number, "something follows `end`"));
    }
    if tiles.is_empty() {
        return Err(Reason::at_line(number, "there is no tile"));
    }
    Ok(Certificate {
        line,
        per_turn,
        lattice,
        tiles,
    })
}

fn tile(reader: &mut Reader<'_>) -> Result<Tile, Reason> {
    let (number, words) = reader.field("cells")?;
    let cells = points(number, words)?;
    if cells.is_empty() || cells.len() > LETTERS.len() {
        let most = LETTERS.len();
        let message = format!("{} cells, expected 1 to {most}", cells.len());
        return Err(Reason::at_line(number, message));
    }
    if (1..cells.len()).any(|i| cells[..i].contains(&cells[i])) {
        return Err(Reason::at_line(number, "a cell is named twice"));
    }
    let mut lines = Vec::new();
    while reader.has("line") {
        let (number, words) = reader.field("line")?;
        let mut line: Cells = 0;
        for point in points(number, words)? {
            let index = cells.iter().position(|&cell| cell == point);
            let index = index.ok_or_else(|| {
                Reason::at_line(
                    number,
                    format!("({},{}) is no cell of the tile", point.0, point.1),
                )
            })?;
            line |= 1 << index;
        }
        if line == 0 {
            return Err(Reason::at_line(number, "a line without cells"));
        }
        lines.push(line);
    }
    if lines.is_empty() || lines.len() > 64 {
        let message = format!("{} lines, expected 1 to 64", lines.len());
        return Err(Reason::at_line(number, message));
    }
    let mut images = Vec::new();
    while reader.has("image") {
        let (number, words) = reader.field("image")?;
        images.push(image(words).ok_or_else(|| {
            Reason::at_line(
                number,
                "expected `image E,F,G,H X,Y` with a symmetry of the square",
            )
        })?);
    }
    if images.is_empty() {
        return Err(Reason::at_line(number, "the tile has no image"));
    }
    let (number, count) = reader.field("answers")?;
    let [count] = whole_large(number, count)?;
    let mut answers = Vec::new();
    for _ in 0..count {
        let (number, line) = reader.take()?;
        let stone = |c: char| match c {
            '-' => Some(None),
            _ => {
                let index = LETTERS.find(c).filter(|&index| index < cells.len())?;
                Some(Some(index as u8))
            }
        };
        let stones: Option<Vec<_>> = line.chars().map(stone).collect();
        let stones = stones.ok_or_else(|| {
            let message = format!("{} has a letter that is no cell", shown(line));
            Reason::at_line(number, message)
        })?;
        answers.push(AnswerLine { number, stones });
    }
    Ok(Tile {
        cells,
        lines,
        images,
        answers,
    })
}

fn image(words: &str) -> Option<Image> {
    let (symmetry, shift) = words.split_once(' ')?;
    let symmetry: Vec<i32> = symmetry.split(',').map(integer).collect::<Option<_>>()?;
    let symmetry = <[i32; 4]>::try_from(symmetry).ok()?;
    let [e, f, g, h] = symmetry;
    // Columns of length 1 at a right angle.
    let rigid = e * e + g * g == 1 && f * f + h * h == 1 && e * f + g * h == 0;
    let shift = point(shift)?;
    rigid.then_some(Image { symmetry, shift })
}

fn integer(word: &str) -> Option<i32> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let plain =
        !digits.is_empty() && digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { word.parse().ok() } else { None }
}

fn point(word: &str) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    Some((integer(x)?, integer(y)?))
}

fn points(number: usize, words: &str) -> Result<Vec<Point>, Reason> {
    let read = |word: &str| {
        point(word).ok_or_else(|| {
            Reason::at_line(
                number,
                format!("{} is no pair of numbers such as 3,-1", shown(word)),
            )
        })
    };
    words.split_ascii_whitespace().map(read).collect()
}

fn whole<const N: usize>(number: usize, words: &str) -> Result<[i32; N], Reason> {
    let values: Option<Vec<i32>> = words.split_ascii_whitespace().map(integer).collect();
    let array = values.and_then(|values| <[i32; N]>::try_from(values).ok());
    array.ok_or_else(|| Reason::at_line(number, format!("{} is not {N} number(s)", shown(words))))
}

/// As [`whole`], for counts that may have more than three digits.
fn whole_large<const N: usize>(number: usize, words: &str) -> Result<[usize; N], Reason> {
    let read = |word: &str| crate::tokens::number(word).ok();
    let values: Option<Vec<usize>> = words.split_ascii_whitespace().map(read).collect();
    let array = values.and_then(|values| <[usize; N]>::try_from(values).ok());
    array.ok_or_else(|| Reason::at_line(number, format!("{} is not {N} number(s)", shown(words))))
}
