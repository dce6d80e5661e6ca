//! Databases as trees, and their bytes.

/// A move, and what is played after the replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strategy {
    pub(super) cell: u8,
    pub(super) children: Vec<(u8, Strategy)>,
}

impl Strategy {
    pub(super) fn child(&self, reply: u8) -> Option<&Self> {
        let found = self.children.iter().find(|(cell, _)| *cell == reply);
        found.map(|(_, child)| child)
    }

    pub(super) fn nodes(&self) -> usize {
        1 + self
            .children
            .iter()
            .map(|(_, child)| child.nodes())
            .sum::<usize>()
    }

    /// The node with this number, counted from the root on.
    pub(super) fn node(&mut self, number: usize) -> Option<&mut Self> {
        let mut left = number;
        if left == 0 {
            return Some(self);
        }
        left -= 1;
        for (_, child) in &mut self.children {
            let nodes = child.nodes();
            if left < nodes {
                return child.node(left);
            }
            left -= nodes;
        }
        None
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend([self.cell, self.children.len() as u8]);
        for (reply, child) in &self.children {
            bytes.push(*reply);
            child.write(bytes);
        }
    }

    fn read(bytes: &mut impl Iterator<Item = u8>) -> Self {
        let mut next = || bytes.next().expect("a byte");
        let (cell, count) = (next(), next());
        let mut children = Vec::new();
        for _ in 0..count {
            let reply = bytes.next().expect("a reply");
            children.push((reply, Self::read(bytes)));
        }
        Self { cell, children }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) black: Vec<u8>,
    pub(super) white: Vec<u8>,
    pub(super) cell: u8,
    pub(super) strategies: Vec<Strategy>,
}

impl Record {
    pub(super) fn encoding(&self) -> Vec<u8> {
        [&self.black[..], &self.white].concat()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Database {
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) exact: bool,
    pub(super) root: (Vec<u8>, Vec<u8>),
    pub(super) records: Vec<Record>,
}

impl Database {
    /// The file, as it is: nothing is put in order.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"TENGENGM\x01".to_vec();
        bytes.extend([self.width, self.height, u8::from(self.exact)]);
        let stones = |bytes: &mut Vec<u8>, black: &[u8], white: &[u8]| {
            bytes.push((black.len() + white.len()) as u8);
            bytes.extend(black);
            bytes.extend(white);
        };
        stones(&mut bytes, &self.root.0, &self.root.1);
        bytes.extend((self.records.len() as u32).to_le_bytes());
        for record in &self.records {
            stones(&mut bytes, &record.black, &record.white);
            bytes.extend([record.cell, record.strategies.len() as u8]);
            record
                .strategies
                .iter()
                .for_each(|strategy| strategy.write(&mut bytes));
        }
        bytes
    }

    /// What bytes mean that the checker has read without complaint.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let mut rest = bytes[9..].iter().copied();
        let [width, height, rule] = [(); 3].map(|()| rest.next().expect("a byte"));
        let stones = |rest: &mut dyn Iterator<Item = u8>| {
            let half = rest.next().expect("a number") / 2;
            let [black, white] = [(); 2].map(|()| rest.take(half.into()).collect::<Vec<u8>>());
            (black, white)
        };
        let root = stones(&mut rest);
        let count = u32::from_le_bytes([(); 4].map(|()| rest.next().expect("a byte")));
        let mut records = Vec::new();
        for _ in 0..count {
            let (black, white) = stones(&mut rest);
            let cell = rest.next().expect("a move");
            let strategies = rest.next().expect("a number");
            let strategies = (0..strategies).map(|_| Strategy::read(&mut rest)).collect();
            records.push(Record {
                black,
                white,
                cell,
                strategies,
            });
        }
        assert_eq!(rest.next(), None);
        Self {
            width,
            height,
            exact: rule == 1,
            root,
            records,
        }
    }

    /// The smallest image of a position.
    pub(super) fn canonical(&self, black: &[u8], white: &[u8]) -> Vec<u8> {
        canonical(self.width, self.height, black, white)
    }

    pub(super) fn has(&self, encoding: &[u8]) -> bool {
        self.records
            .iter()
            .any(|record| record.encoding() == encoding)
    }

    pub(super) fn sort(&mut self) {
        self.records
            .sort_by_key(|record| (record.black.len(), record.encoding()));
    }
}

/// Where one of the symmetries of a board takes a cell; on a square there are 8, otherwise 4.
pub(super) fn image(width: u8, height: u8, turn: u8, cell: u8) -> u8 {
    let (mut x, mut y) = (cell % width, cell / width);
    if turn & 1 != 0 {
        x = width - 1 - x;
    }
    if turn & 2 != 0 {
        y = height - 1 - y;
    }
    if turn & 4 != 0 {
        (x, y) = (y, x);
    }
    y * width + x
}

/// The smallest image of a position.
pub(super) fn canonical(width: u8, height: u8, black: &[u8], white: &[u8]) -> Vec<u8> {
    let turns = if width == height { 8 } else { 4 };
    let of = |turn: u8, cells: &[u8]| {
        let images = cells.iter().map(|&cell| image(width, height, turn, cell));
        let mut cells: Vec<u8> = images.collect();
        cells.sort_unstable();
        cells
    };
    let images = (0..turns).map(|turn| [of(turn, black), of(turn, white)].concat());
    images.min().expect("there are images")
}
