-- Studies: annotated trees of turns. A node is one turn; node 0 is the root.
CREATE TABLE studies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    folder TEXT NOT NULL DEFAULT '',
    rules TEXT NOT NULL,
    start TEXT NOT NULL DEFAULT '',      -- a set-up; empty: the empty board
    info TEXT NOT NULL DEFAULT '{}',     -- JSON, api::GameInfo
    revision INTEGER NOT NULL DEFAULT 0, -- counts edits, undone and redone ones too
    next_node INTEGER NOT NULL DEFAULT 1, -- larger than any node there ever was
    created REAL NOT NULL,               -- seconds since 1970, here and everywhere
    updated REAL NOT NULL
);
CREATE TABLE nodes (
    study INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    id INTEGER NOT NULL,
    parent INTEGER,
    place REAL NOT NULL DEFAULT 0,       -- among siblings
    turn TEXT NOT NULL,                  -- 'K10 J9'
    name TEXT NOT NULL DEFAULT '',
    comment TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT '[]',    -- JSON, api::Mark
    arrows TEXT NOT NULL DEFAULT '[]',   -- JSON, api::Arrow
    opinion TEXT,                        -- JSON, api::Opinion
    key BLOB,                            -- of the position after the turn, under symmetry
    PRIMARY KEY (study, id)
) WITHOUT ROWID;
CREATE INDEX nodes_key ON nodes (key);
CREATE INDEX nodes_parent ON nodes (study, parent);

-- What was done to a study: each edit with the patch that takes it back.
CREATE TABLE edits (
    study INTEGER NOT NULL REFERENCES studies ON DELETE CASCADE,
    number INTEGER NOT NULL,             -- from 1; undone edits are the last ones
    label TEXT NOT NULL,
    forward TEXT NOT NULL,               -- JSON, api::Patch
    backward TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (study, number)
) WITHOUT ROWID;

-- Proofs: the compact file, and what the independent checker says of it.
CREATE TABLE proofs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    rules TEXT NOT NULL,
    position TEXT NOT NULL,              -- a set-up
    moves TEXT NOT NULL DEFAULT '',      -- stones in play order, if they are known
    attacker TEXT NOT NULL,
    to_move TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    turns INTEGER,
    state TEXT NOT NULL,                 -- api::ProofState
    reason TEXT,
    "except" TEXT NOT NULL DEFAULT '[]', -- JSON
    checked REAL,
    check_seconds REAL,
    checker TEXT,
    created REAL NOT NULL,
    key BLOB NOT NULL,
    file BLOB NOT NULL
);
CREATE INDEX proofs_key ON proofs (key);

-- Jobs: what was asked and what came out. Those that were running when the server stopped are started again.
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,               -- JSON, api::JobRequest
    study INTEGER,
    node INTEGER,
    state TEXT NOT NULL,                 -- api::JobState
    progress TEXT NOT NULL DEFAULT '{}', -- JSON, api::JobProgress
    outcome TEXT,                        -- JSON, api::JobOutcome
    error TEXT,
    seen INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    finished REAL,
    starts INTEGER NOT NULL DEFAULT 0    -- without coming far
);

-- Games, and every position of them.
CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    rules TEXT,                          -- where the file does not say it
    charset TEXT,
    file BLOB,                           -- as uploaded; until it is imported
    done INTEGER NOT NULL DEFAULT 0,     -- records of the file that were read
    refused INTEGER NOT NULL DEFAULT 0,  -- of these, left out
    reasons TEXT NOT NULL DEFAULT '[]',  -- why; JSON, the first ten
    created REAL NOT NULL
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    rules TEXT NOT NULL,
    moves TEXT NOT NULL,
    turns INTEGER NOT NULL,
    winner TEXT,                         -- 'black', 'white'; NULL: nobody or unknown
    black TEXT NOT NULL DEFAULT '',
    white TEXT NOT NULL DEFAULT '',
    event TEXT NOT NULL DEFAULT '',
    date TEXT NOT NULL DEFAULT '',
    info TEXT NOT NULL DEFAULT '{}'      -- JSON, api::GameInfo
);
CREATE INDEX games_collection ON games (collection);
CREATE TABLE positions (
    key BLOB NOT NULL,
    game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
    turn INTEGER NOT NULL,               -- turns played so far
    next TEXT NOT NULL,                  -- the turn played here, as the canonical image has it; empty at the end
    PRIMARY KEY (key, game, turn)
) WITHOUT ROWID;
CREATE INDEX positions_game ON positions (game);
