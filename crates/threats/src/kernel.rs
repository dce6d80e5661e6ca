//! The windows of four lines at once, bit-parallel.
//!
//! A line is two words, one bit per cell: the stones of each side. Bit `s` of a result speaks of the
//! window of `k` cells that starts at `s`. How many stones a window holds is computed for all
//! windows together with bit-sliced addition: sums over windows of length 1, 2, 4, ... are added up
//! to length `k`, each sum being a few words that hold its binary digits. The four lanes are the
//! four lines through one cell; the compiler keeps them in vector registers.

/// Four lines.
pub(crate) type Lanes = [u64; 4];

/// How many levels of windows are kept, see [`Windows::levels`].
pub(crate) const LEVELS: usize = 3;

/// What is known of one side's windows on four lines.
pub(crate) struct Windows {
    /// Level `i` holds the open windows with at least `k - p - i` stones: 0 for threats, 1 for
    /// windows that need one more stone to be one, 2 for those that need two.
    pub(crate) levels: [Lanes; LEVELS],
    /// Complete windows.
    pub(crate) complete: Lanes,
}

/// Enough binary digits for a sum of 63.
const DIGITS: usize = 6;
type Sum = [Lanes; DIGITS];

#[inline(always)]
fn map2(a: Lanes, b: Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

#[inline(always)]
fn shr(a: Lanes, n: u32) -> Lanes {
    a.map(|a| a >> n)
}

#[inline(always)]
fn add(a: Sum, b: Sum) -> Sum {
    let mut sum = [[0; 4]; DIGITS];
    let mut carry = [0; 4];
    for digit in 0..DIGITS {
        let half = map2(a[digit], b[digit], |a, b| a ^ b);
        sum[digit] = map2(half, carry, |h, c| h ^ c);
        let both = map2(a[digit], b[digit], |a, b| a & b);
        carry = map2(both, map2(half, carry, |h, c| h & c), |b, c| b | c);
    }
    sum
}

/// Where the sum is at least `bound`.
#[inline(always)]
fn at_least(sum: &Sum, bound: i32) -> Lanes {
    if bound <= 0 {
        return [u64::MAX; 4];
    }
    let mut greater = [0; 4];
    let mut equal = [u64::MAX; 4];
    for digit in (0..DIGITS).rev() {
        if bound >> digit & 1 == 1 {
            equal = map2(equal, sum[digit], |e, s| e & s);
        } else {
            greater = map2(greater, map2(equal, sum[digit], |e, s| e & s), |g, s| g | s);
            equal = map2(equal, sum[digit], |e, s| e & !s);
        }
    }
    map2(greater, equal, |g, e| g | e)
}

/// The windows of `own` stones against `other` ones.
///
/// `line` is `k`, `threat` is `k - p`; with `exact` a window with an own stone just before or behind
/// it is not open, because completing it would make an overline.
#[inline(always)]
fn windows_of(
    line: u32,
    threat: i32,
    exact: bool,
    own: Lanes,
    other: Lanes,
    starts: Lanes,
) -> Windows {
    // Sums and disjunctions over windows of length 2^i, combined along the binary digits of k.
    let mut power: Sum = [[0; 4]; DIGITS];
    power[0] = own;
    let mut blocked_power = other;
    let mut sum: Sum = [[0; 4]; DIGITS];
    let mut blocked = [0; 4];
    let mut covered = 0;
    let mut length = 1;
    while length <= line {
        if line & length != 0 {
            sum = add(sum, power.map(|digit| shr(digit, covered)));
            blocked = map2(blocked, shr(blocked_power, covered), |a, b| a | b);
            covered += length;
        }
        power = add(power, power.map(|digit| shr(digit, length)));
        blocked_power = map2(blocked_power, shr(blocked_power, length), |a, b| a | b);
        length *= 2;
    }
    let mut open = map2(starts, blocked, |s, b| s & !b);
    if exact {
        open = map2(open, own, |o, own| o & !(own << 1) & !(own >> line));
    }
    let level = |bound: i32| map2(open, at_least(&sum, bound), |o, s| o & s);
    Windows {
        levels: [level(threat), level(threat - 1), level(threat - 2)],
        complete: level(line as i32),
    }
}

/// The windows of `own` stones on four lines; see [`Windows`].
#[inline]
pub(crate) fn windows(
    line: u32,
    threat: i32,
    exact: bool,
    own: Lanes,
    other: Lanes,
    starts: Lanes,
) -> Windows {
    // The usual games get code with constants folded in; the bench shows what that is worth.
    match (line, threat, exact) {
        (6, 4, false) => windows_of(6, 4, false, own, other, starts),
        (5, 4, false) => windows_of(5, 4, false, own, other, starts),
        _ => windows_of(line, threat, exact, own, other, starts),
    }
}

/// For every place, whether a bit is set in one of the `length` places that begin there.
#[inline(always)]
fn any_from(length: u32, bits: u64) -> u64 {
    let (mut any, mut reach) = (bits, 1);
    while 2 * reach <= length {
        any |= any >> reach;
        reach *= 2;
    }
    any | any >> (length - reach)
}

/// All cells of these windows.
#[inline]
pub(crate) fn cells_of_windows(line: u32, windows: u64) -> u64 {
    let (mut cells, mut reach) = (windows, 1);
    while 2 * reach <= line {
        cells |= cells << reach;
        reach *= 2;
    }
    cells | cells << (line - reach)
}

/// The windows of one line, with at least `bound` stones.
pub(crate) fn windows_with(
    line: u32,
    bound: i32,
    exact: bool,
    own: u64,
    other: u64,
    starts: u64,
) -> u64 {
    if bound == 1 && !exact {
        return starts & any_from(line, own) & !any_from(line, other);
    }
    windows_of(
        line,
        bound,
        exact,
        [own, 0, 0, 0],
        [other, 0, 0, 0],
        [starts, 0, 0, 0],
    )
    .levels[0][0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_one_line_agree_with_those_of_four() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let line = random.u32(2..=20);
            let length = random.u32(line..=63);
            let cells = (1_u64 << length) - 1;
            let own = random.u64(..) & random.u64(..) & random.u64(..) & cells;
            let other = random.u64(..) & random.u64(..) & random.u64(..) & cells & !own;
            let starts = (1_u64 << (length - line + 1)) - 1;
            let bound = random.i32(0..=line as i32);
            let lanes = |bits| [bits, 0, 0, 0];
            for bound in [bound, 1] {
                let four = windows_of(line, bound, false, lanes(own), lanes(other), lanes(starts));
                let one = windows_with(line, bound, false, own, other, starts);
                assert_eq!(one, four.levels[0][0], "{line} {bound}");
                let slow = (0..64).filter(|start| one >> start & 1 == 1);
                let slow = slow.fold(0, |all, start| all | ((1 << line) - 1) << start);
                assert_eq!(cells_of_windows(line, one), slow);
            }
        }
    }

    #[test]
    fn agrees_with_counting_one_by_one() {
        let mut random = fastrand::Rng::with_seed(1);
        for case in 0..20_000 {
            let line = if case % 3 == 0 { 6 } else { random.u32(2..=20) };
            let threat = random.i32(1..line as i32);
            let exact = random.bool();
            let lane = |random: &mut fastrand::Rng| {
                let length = random.u32(line..=63);
                let own = random.u64(..) & random.u64(..) & ((1 << length) - 1);
                let own = own | random.u64(..) & random.u64(..) & ((1 << length) - 1);
                let other =
                    random.u64(..) & random.u64(..) & random.u64(..) & ((1 << length) - 1) & !own;
                (own, other, (1_u64 << (length - line + 1)) - 1)
            };
            let lanes: Vec<_> = (0..4).map(|_| lane(&mut random)).collect();
            let pick = |f: fn(&(u64, u64, u64)) -> u64| [0, 1, 2, 3].map(|i| f(&lanes[i]));
            let fast = windows(
                line,
                threat,
                exact,
                pick(|l| l.0),
                pick(|l| l.1),
                pick(|l| l.2),
            );
            for (lane, &(own, other, starts)) in lanes.iter().enumerate() {
                for start in 0..64 {
                    let cells = if start + line <= 64 {
                        ((1 << line) - 1) << start
                    } else {
                        0
                    };
                    let flank = (cells << 1 | cells >> 1) & !cells;
                    let open = starts >> start & 1 == 1
                        && other & cells == 0
                        && !(exact && own & flank != 0);
                    let count = (own & cells).count_ones() as i32;
                    for level in 0..LEVELS {
                        let expected = open && count >= threat - level as i32;
                        assert_eq!(fast.levels[level][lane] >> start & 1 == 1, expected);
                    }
                    assert_eq!(
                        fast.complete[lane] >> start & 1 == 1,
                        open && count == line as i32
                    );
                }
            }
        }
    }
}
