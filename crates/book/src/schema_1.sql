-- Times are milliseconds since 1970. Positions are stored once for all their rotations and reflections: the least image.
CREATE TABLE positions (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,                   -- tengen_rules::position_key; equal keys are compared by what follows
    rules TEXT NOT NULL,
    setup TEXT NOT NULL
);
CREATE INDEX positions_key ON positions (key);

-- A turn as the stored parent has it; of turns that a symmetry of the parent exchanges the least one.
CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL REFERENCES positions,
    stones TEXT NOT NULL,                -- 'K10 J9'; fewer than a whole turn leads into the middle of one
    child INTEGER REFERENCES positions,  -- NULL: the turn ends the game
    UNIQUE (parent, stones)
);
CREATE INDEX turns_child ON turns (child);

CREATE TABLE sources (
    id INTEGER PRIMARY KEY,              -- 0: nobody says where it comes from
    name TEXT NOT NULL,
    url TEXT NOT NULL DEFAULT '',
    licence TEXT NOT NULL DEFAULT '',
    UNIQUE (name, url, licence)
);
INSERT INTO sources (id, name) VALUES (0, '');

CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL REFERENCES positions,
    language TEXT NOT NULL,              -- BCP 47; '' for none
    name TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources,
    at INTEGER NOT NULL,
    UNIQUE (position, language, name, source)
);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,         -- of everything that follows, but for the time
    position INTEGER NOT NULL REFERENCES positions,
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    marks TEXT NOT NULL DEFAULT '',      -- JSON
    written_for TEXT NOT NULL,           -- the set-up that text and marks speak of
    source INTEGER NOT NULL REFERENCES sources,
    at INTEGER NOT NULL
);
CREATE INDEX comments_position ON comments (position);

CREATE TABLE opinions (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL REFERENCES positions,
    verdict TEXT NOT NULL,
    score INTEGER,
    source INTEGER NOT NULL REFERENCES sources,
    at INTEGER NOT NULL
);
CREATE UNIQUE INDEX opinions_once ON opinions (position, source, at, verdict, ifnull(score, ''));

-- Somebody says that this side wins. Nobody has checked it.
CREATE TABLE claims (
    id INTEGER PRIMARY KEY,
    position INTEGER NOT NULL REFERENCES positions,
    winner TEXT NOT NULL CHECK (winner IN ('black', 'white')),
    source INTEGER NOT NULL REFERENCES sources,
    at INTEGER NOT NULL,
    UNIQUE (position, winner, source)
);

-- A position is proved if it has a proof whose state is 'verified'. There is no other place that says so.
CREATE TABLE proofs (
    id BLOB PRIMARY KEY,                 -- 128 bits of FNV-1a of the text
    position INTEGER NOT NULL REFERENCES positions,
    stated TEXT NOT NULL,                -- the set-up as the proof has it
    attacker TEXT NOT NULL CHECK (attacker IN ('black', 'white')),
    open TEXT NOT NULL,                  -- JSON: replies that the proof leaves open
    first TEXT NOT NULL,                 -- the attacker's first turn; '' if the defender is to move
    state TEXT NOT NULL CHECK (state IN ('verified', 'verified-except', 'rejected', 'undecided')),
    reason TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    checker TEXT NOT NULL,
    checked INTEGER NOT NULL,
    added INTEGER NOT NULL,
    bytes INTEGER NOT NULL,              -- of the text
    text BLOB NOT NULL                   -- zstd
) WITHOUT ROWID;
CREATE INDEX proofs_position ON proofs (position, state);

CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,         -- of rules, moves, players, date and event
    rules TEXT NOT NULL,
    moves TEXT NOT NULL,
    winner TEXT NOT NULL CHECK (winner IN ('black', 'white', 'draw', '')),
    year INTEGER,
    black TEXT NOT NULL,
    white TEXT NOT NULL,
    result TEXT NOT NULL,
    date TEXT NOT NULL,
    event TEXT NOT NULL,
    place TEXT NOT NULL
);
CREATE TABLE game_sources (
    game INTEGER NOT NULL REFERENCES games,
    source INTEGER NOT NULL REFERENCES sources,
    origin TEXT NOT NULL,                -- the game's name there
    PRIMARY KEY (game, source, origin)
) WITHOUT ROWID;
CREATE TABLE plays (
    turn INTEGER NOT NULL REFERENCES turns,
    game INTEGER NOT NULL REFERENCES games,
    PRIMARY KEY (turn, game)
) WITHOUT ROWID;

-- A search is its root, its configuration and its events; everything else is found again from these.
CREATE TABLE searches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid BLOB NOT NULL UNIQUE,            -- the same in every copy
    title TEXT NOT NULL,
    rules TEXT NOT NULL,
    root TEXT NOT NULL,
    config TEXT NOT NULL,                -- JSON
    created INTEGER NOT NULL,
    events INTEGER NOT NULL DEFAULT 0,   -- how many there are
    snapshot TEXT,                       -- JSON
    wanted TEXT NOT NULL DEFAULT 'run' CHECK (wanted IN ('run', 'pause', 'stop')),
    token INTEGER,                       -- of the process that runs it; NULL: nobody does
    host TEXT,
    machine TEXT,
    pid INTEGER,
    heartbeat INTEGER
);
CREATE TABLE events (
    search INTEGER NOT NULL REFERENCES searches,
    number INTEGER NOT NULL,             -- from 1, without gaps
    event TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (search, number)
) WITHOUT ROWID;
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    search INTEGER NOT NULL REFERENCES searches,
    command TEXT NOT NULL,               -- JSON
    at INTEGER NOT NULL
);
CREATE INDEX commands_search ON commands (search, id);

-- Full-text search. The number of a row is four times that of its item, plus 0 for names, 1 for comments, 2 for sources.
CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
CREATE TRIGGER names_in AFTER INSERT ON names BEGIN
    INSERT INTO words (rowid, text) VALUES (4 * new.id, new.name);
END;
CREATE TRIGGER names_out AFTER DELETE ON names BEGIN
    DELETE FROM words WHERE rowid = 4 * old.id;
END;
CREATE TRIGGER comments_in AFTER INSERT ON comments WHEN new.text <> '' BEGIN
    INSERT INTO words (rowid, text) VALUES (4 * new.id + 1, new.text);
END;
CREATE TRIGGER comments_out AFTER DELETE ON comments BEGIN
    DELETE FROM words WHERE rowid = 4 * old.id + 1;
END;
CREATE TRIGGER sources_in AFTER INSERT ON sources BEGIN
    INSERT INTO words (rowid, text) VALUES (4 * new.id + 2, new.name || ' ' || new.url || ' ' || new.licence);
END;
