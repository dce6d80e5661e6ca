// Written from crates/server/src/api by `make types`; do not edit.

export type About = { 
/**
 * Of Tengen.
 */
version: string, 
/**
 * How many jobs run at a time.
 */
workers: number, 
/**
 * Rules with names of their own.
 */
rules: Array<string>, 
/**
 * The most bytes an uploaded file may have.
 */
largest_upload: number, };

export type ApiError = { 
/**
 * For programs: `bad-request`, `not-found`, `conflict`, `too-large`, `too-many`, `refused`, `internal`.
 */
code: string, 
/**
 * For people: what was wrong, where, and what would be right.
 */
message: string, };

export type Arrow = { 
/**
 * From this cell
 */
from: string, 
/**
 * to this.
 */
to: string, };

export type Atlas = { 
/**
 * `5x5`.
 */
region: string, 
/**
 * The openings, the nearest stones first.
 */
classes: Array<AtlasClass>, };

export type AtlasClass = { 
/**
 * Such as `TX-d21`; openings far from the centre have none.
 */
name: string | null, 
/**
 * Traditional names.
 */
names: Array<BookName>, 
/**
 * White's stones, turned as the name has them.
 */
white: Array<string>, 
/**
 * The three stones in play order.
 */
moves: string, 
/**
 * How it stands.
 */
state: AtlasState, 
/**
 * The turn by which Black wins.
 */
turn: Array<string> | null, 
/**
 * The proof number of its search.
 */
proof: number | null, 
/**
 * The disproof number.
 */
disproof: number | null, 
/**
 * The search that has it.
 */
search: number | null, 
/**
 * Whether that one is running.
 */
running: boolean, 
/**
 * Who is said to win; nobody has checked it.
 */
claim: Side | null, };

export type AtlasQuery = { 
/**
 * `3x3`, `5x5`, `7x7` or `9x9`, around the centre; `5x5` without.
 */
region?: string, };

export type AtlasState = "black-proved" | "white-proved" | "open" | "untouched";

export type BookClaim = { 
/**
 * Who is said to win.
 */
winner: Side, 
/**
 * Who says so.
 */
source: string, };

export type BookComment = { 
/**
 * Free text.
 */
text: string, 
/**
 * A tag such as `en`; may be empty.
 */
language: string, 
/**
 * Who wrote it.
 */
source: string, 
/**
 * When.
 */
at: number, 
/**
 * The set-up the text speaks of, if that is not the position that was asked for but an image of it.
 */
written_for: string | null, };

export type BookEntry = { 
/**
 * Whether the book has the position at all.
 */
known: boolean, 
/**
 * The computed name of its opening.
 */
opening: string | null, 
/**
 * Traditional names.
 */
names: Array<BookName>, 
/**
 * Who wins for certain.
 */
proved: BookProof | null, 
/**
 * Who is said to win.
 */
claims: Array<BookClaim>, 
/**
 * What is thought of it, the newest first.
 */
opinions: Array<BookOpinion>, 
/**
 * Those in the wanted language first, then English, then the others.
 */
comments: Array<BookComment>, 
/**
 * Games that went on from here.
 */
stats: BookStats, 
/**
 * Known turns: proved wins first, then the most played.
 */
turns: Array<BookTurn>, 
/**
 * Searches that start here.
 */
searches: Array<number>, };

export type BookHit = { 
/**
 * In what.
 */
kind: BookHitKind, 
/**
 * The whole text.
 */
text: string, 
/**
 * The game; empty for a source.
 */
rules: string, 
/**
 * The set-up; empty for a source.
 */
position: string, 
/**
 * The name of its opening.
 */
opening: string | null, };

export type BookHitKind = "name" | "comment" | "source";

export type BookName = { 
/**
 * The name.
 */
name: string, 
/**
 * A tag such as `en`; may be empty.
 */
language: string, };

export type BookOpinion = { 
/**
 * In the words of whoever thinks so.
 */
verdict: string, 
/**
 * Who thinks so.
 */
source: string, };

export type BookProof = { 
/**
 * Who wins.
 */
winner: Side, 
/**
 * Its name in the book, 32 hexadecimal digits.
 */
proof: string, 
/**
 * The winner's first turn, if the winner moves first.
 */
turn: Array<string> | null, };

export type BookQuery = { 
/**
 * The game; Connect6 without.
 */
rules?: string, 
/**
 * Stones in play order or a set-up; in any orientation.
 */
position: string, 
/**
 * The language comments are wanted in, such as `zh-Hant`: they come first.
 */
language?: string, };

export type BookSearchQuery = { 
/**
 * Beginnings of words, all of which must occur.
 */
q: string, };

export type BookStats = { 
/**
 * How many.
 */
games: number, 
/**
 * Of these, won by Black,
 */
black: number, 
/**
 * by White.
 */
white: number, };

export type BookTurn = { 
/**
 * The stones.
 */
turn: Array<string>, 
/**
 * Whether it ends the game.
 */
ends: boolean, 
/**
 * The computed name of the opening after it.
 */
opening: string | null, 
/**
 * Traditional names of the position after it.
 */
names: Array<BookName>, 
/**
 * Who wins after it for certain.
 */
proved: BookProof | null, 
/**
 * Who is said to win after it.
 */
claims: Array<BookClaim>, 
/**
 * What is thought of it, the newest first.
 */
opinions: Array<BookOpinion>, 
/**
 * How many comments there are after it.
 */
comments: number, 
/**
 * How many turns are known after it.
 */
turns: number, 
/**
 * Games with it.
 */
stats: BookStats, };

export type Certainty = "proved" | "likely" | "even" | "open";

export type Challenge = { 
/**
 * The turns since the proof's position, both sides'.
 */
played: Array<PlayedTurn>, 
/**
 * Whether the attacker has completed a line.
 */
won: boolean, 
/**
 * The reply is one that the proof leaves open.
 */
left_open: boolean, 
/**
 * Z1, Z2, Z3 for the defender's next stones.
 */
zones: Array<Array<string>>, 
/**
 * Replies that the proof answers one by one, the longest first.
 */
defences: Array<Defence>, 
/**
 * How many replies there are in all.
 */
replies: number, 
/**
 * The attacker's turns that are left against the longest defence.
 */
turns_left: number, 
/**
 * Why the attacker's last turn, in one sentence.
 */
why: string, 
/**
 * The same as a word.
 */
reason: ChallengeReason, };

export type ChallengeReason = "begin" | "first" | "completes" | "exact" | "macro" | "similar" | "null" | "left-open";

export type ChallengeRequest = { 
/**
 * The defender's turns, the first one first.
 */
replies: Array<Array<string>>, };

export type Collection = { 
/**
 * Its number.
 */
id: number, 
/**
 * Its name.
 */
name: string, 
/**
 * How many games it has.
 */
games: number, 
/**
 * When it was imported.
 */
created: number, };

export type Defence = { 
/**
 * Its stones: fewer than a turn stands for all turns with these and irrelevant others, more for all of them at
 * once.
 */
stones: Array<string>, 
/**
 * A whole turn that can be played.
 */
example: Array<string>, 
/**
 * The attacker's answer.
 */
answer: Array<string>, 
/**
 * The attacker's turns to the completed line from here.
 */
turns: number, };

export type Document = { 
/**
 * The study.
 */
study: Study, 
/**
 * The nodes, parents before children, siblings in order.
 */
nodes: Array<Node>, };

export type DrawnAnswer = { 
/**
 * White's stones, at most as many as Black's.
 */
answer: Array<string>, 
/**
 * The tiles in which Black has played in this turn: their cells.
 */
tiles: Array<Array<string>>, 
/**
 * The lines of these tiles that have no white stone, each from end to end.
 */
lines: Array<Array<string>>, };

export type DrawnGame = { 
/**
 * So many in a row win.
 */
line: number, 
/**
 * Stones a turn.
 */
per_turn: number, 
/**
 * Cells of the tile.
 */
cells: number, };

export type DrawnRequest = { 
/**
 * So many in a row win.
 */
line: number, 
/**
 * Stones a turn.
 */
per_turn: number, 
/**
 * Black's stones before the turn.
 */
black: Array<string>, 
/**
 * White's stones before the turn.
 */
white: Array<string>, 
/**
 * Black's turn: at least one stone.
 */
turn: Array<string>, };

export type Edit = { 
/**
 * The revision that was edited; another one is a conflict.
 */
base: number, 
/**
 * What to call it in "undo …": `add`, `delete`, `comment`, `reorder`, `mark`, `import`, `engine`.
 * `opinion` is no step of undo: what engines think of nodes comes and goes by itself.
 */
label: string, 
/**
 * The change.
 */
patch: Patch, };

export type Edited = { 
/**
 * The new revision.
 */
revision: number, 
/**
 * Whether there is an edit to take back.
 */
can_undo: boolean, 
/**
 * Whether there is an edit taken back.
 */
can_redo: boolean, };

export type ExploreRequest = { 
/**
 * The game.
 */
rules: string, 
/**
 * The position.
 */
position: string, 
/**
 * Only in this collection.
 */
collection?: number, };

export type Explored = { 
/**
 * Games with the position.
 */
games: number, 
/**
 * Of these, won by Black,
 */
black: number, 
/**
 * by White,
 */
white: number, 
/**
 * drawn or unknown.
 */
others: number, 
/**
 * The name of the opening, such as `TX-d21`.
 */
opening: string | null, 
/**
 * What was played next, the most frequent first, turned to the position asked for. Turns that are the same up
 * to a symmetry of the position are one.
 */
turns: Array<ExploredTurn>, };

export type ExploredTurn = { 
/**
 * The stones.
 */
turn: Array<string>, 
/**
 * Games with it.
 */
games: number, 
/**
 * Of these, won by Black,
 */
black: number, 
/**
 * by White,
 */
white: number, 
/**
 * drawn or unknown.
 */
others: number, 
/**
 * What a verified proof or a study says of the position after it.
 */
opinion: Opinion | null, };

export type Facts = { 
/**
 * Who moves.
 */
to_move: Side, 
/**
 * How many stones are left of the turn.
 */
left: number, 
/**
 * All stones.
 */
stones: Array<Stone>, 
/**
 * Who won.
 */
winner: Side | null, 
/**
 * Nobody can win any more: the board is full.
 */
drawn: boolean, 
/**
 * The cells of the winning line.
 */
line: Array<string>, 
/**
 * Black's threats.
 */
black: SideFacts, 
/**
 * White's threats.
 */
white: SideFacts, 
/**
 * The position as a set-up.
 */
setup: string, };

export type Game = { 
/**
 * Its number.
 */
id: number, 
/**
 * Its collection.
 */
collection: number, 
/**
 * The game played.
 */
rules: string, 
/**
 * The stones in play order.
 */
moves: string, 
/**
 * How many turns.
 */
turns: number, 
/**
 * Facts about it.
 */
info: GameInfo, };

export type GameInfo = { 
/**
 * Black's name.
 */
black: string, 
/**
 * White's name.
 */
white: string, 
/**
 * `B+`, `W+R`, `0`.
 */
result: string, 
/**
 * When it was played.
 */
date: string, 
/**
 * Where.
 */
place: string, 
/**
 * The tournament.
 */
event: string, 
/**
 * Where the record comes from.
 */
source: string, };

export type GameList = { 
/**
 * How many there are in all.
 */
total: number, 
/**
 * Those asked for.
 */
games: Array<Game>, };

export type GameQuery = { 
/**
 * Only of this collection.
 */
collection?: number, 
/**
 * Only with this in a name, event or date.
 */
text?: string, 
/**
 * Only those with this position; as in `PositionText`, under symmetry.
 */
position?: string, 
/**
 * The game of that position.
 */
rules?: string, 
/**
 * How many to leave out.
 */
offset?: number, 
/**
 * How many to list, at most 200.
 */
limit?: number, };

export type GomokuAnswer = { "kind": "known", 
/**
 * Black's stone.
 */
cell: string, } | { "kind": "threat", 
/**
 * Black's stone.
 */
cell: string, } | { "kind": "five", 
/**
 * Black's stone.
 */
cell: string, 
/**
 * The stones of the row, this one among them.
 */
line: Array<string>, } | { "kind": "left" } | { "kind": "over", 
/**
 * Who has won; nobody if the board is full.
 */
winner: Side | null, 
/**
 * The stones of the row.
 */
line: Array<string>, };

export type GomokuProof = { 
/**
 * The game: `gomoku`, `gomoku-standard`, or m,n,k,p,q.
 */
rules: string, 
/**
 * Columns.
 */
width: number, 
/**
 * Rows.
 */
height: number, 
/**
 * The black stones of the position that is won; none if that is the empty board.
 */
black: Array<string>, 
/**
 * Its white stones, as many.
 */
white: Array<string>, 
/**
 * Positions with an answer of their own, up to symmetry.
 */
records: number, 
/**
 * How many of them have 0, 1, 2, ... stones.
 */
by_stones: Array<number>, };

export type GomokuQuery = { 
/**
 * What was played after the position that is won, black and white in turn: `H8,I9`; nothing at the beginning.
 */
moves: string, };

export type GomokuState = { 
/**
 * The proof that the server was started with.
 */
proof: GomokuProof | null, };

export type GridClass = "high" | "normal" | "low";

export type GridDropped = { 
/**
 * Its name.
 */
name: string, 
/**
 * Why.
 */
reason: string, 
/**
 * The searches that dropped it; none if somebody did it by hand and no search has heard of it.
 */
searches: Array<string>, };

export type GridHistory = { 
/**
 * How far back one looks, in seconds.
 */
span: number, 
/**
 * Seconds between two samples.
 */
every: number, 
/**
 * The oldest first.
 */
samples: Array<GridSample>, };

export type GridHistoryQuery = { 
/**
 * `hour` without.
 */
span?: GridSpan, };

export type GridJob = { 
/**
 * The search that asks.
 */
client: string, 
/**
 * The game; empty if the worker does not say.
 */
rules: string, 
/**
 * The position as a set-up.
 */
position: string, 
/**
 * `expand`, `verify`, `prove` or `evaluate`; empty if the worker does not say.
 */
kind: string, 
/**
 * For how long.
 */
seconds: number, 
/**
 * How often it was handed out.
 */
delivery: number, };

export type GridLost = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its machine.
 */
machine: string, 
/**
 * How many jobs it had; they go to others.
 */
jobs: number, 
/**
 * It was heard so many seconds ago.
 */
ago: number, 
/**
 * One of this name is there again.
 */
back: boolean, };

export type GridReason = { 
/**
 * For people, at most 200 characters.
 */
reason: string, };

export type GridSample = { 
/**
 * It ended so many seconds ago.
 */
ago: number, 
/**
 * Threads that were there.
 */
threads: number, 
/**
 * Those that had a job.
 */
busy: number, 
/**
 * Jobs that waited.
 */
queued: number, 
/**
 * Answers a minute.
 */
per_minute: number, };

export type GridSearch = { 
/**
 * Its name on the grid.
 */
client: string, 
/**
 * Its number in this server's book, if it is there.
 */
search: number | null, 
/**
 * For people.
 */
title: string, 
/**
 * Its coordinator's machine.
 */
machine: string, 
/**
 * How it uses the grid.
 */
usage: GridUsage, 
/**
 * How many threads it could use now.
 */
wants: number, 
/**
 * How many it is given.
 */
granted: number, 
/**
 * Jobs that wait.
 */
queued: number, 
/**
 * Jobs at work.
 */
running: number, 
/**
 * Answers since it started.
 */
done: number, 
/**
 * Jobs that failed.
 */
failures: number, 
/**
 * Jobs that went wrong of late, the last one first.
 */
troubles: Array<GridTrouble>, };

export type GridSpan = "hour" | "day";

export type GridState = { 
/**
 * Where it is; nothing if this server uses no grid, and this machine does all jobs.
 */
address: string | null, 
/**
 * The sums.
 */
summary: GridSummary, 
/**
 * The workers, by name; the first 500.
 */
workers: Array<GridWorker>, 
/**
 * The searches, of all coordinators.
 */
searches: Array<GridSearch>, 
/**
 * Workers that fell silent of late, the last one first.
 */
lost: Array<GridLost>, 
/**
 * Workers whose answers are not read.
 */
dropped: Array<GridDropped>, };

export type GridSummary = { 
/**
 * How many workers are there.
 */
workers: number, 
/**
 * How many jobs they can do at once.
 */
threads: number, 
/**
 * How many they do now.
 */
busy: number, 
/**
 * How many searches share them.
 */
searches: number, 
/**
 * Jobs that wait.
 */
queued: number, 
/**
 * Answers a minute, over the last minute.
 */
per_minute: number, 
/**
 * Answers since the searches that are there started.
 */
done: number, 
/**
 * Failures since then.
 */
failures: number, 
/**
 * Workers that fell silent since this server started.
 */
lost: number, 
/**
 * Whether the grid's server answers.
 */
connected: boolean, };

export type GridTrouble = { 
/**
 * Its name.
 */
job: string, 
/**
 * The game, if the search is in this server's book.
 */
rules: string | null, 
/**
 * The position as a set-up.
 */
position: string, 
/**
 * Who had it.
 */
worker: string | null, 
/**
 * What went wrong.
 */
reason: string, 
/**
 * Nobody finished it, however often it was handed out.
 */
dead: boolean, 
/**
 * So many seconds ago.
 */
ago: number, 
/**
 * The node that the search has given up because of it: it can be tried again.
 */
given_up: number | null, };

export type GridUsage = { 
/**
 * Its share, compared with that of others: 1 to 1000.
 */
weight: number, 
/**
 * At most so many workers' threads.
 */
most?: number | null, 
/**
 * Only workers of this name or label.
 */
pool?: string | null, 
/**
 * How urgent it is.
 */
class: GridClass, };

export type GridWorker = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its process: two with one name are told apart.
 */
instance: string, 
/**
 * Its machine.
 */
machine: string, 
/**
 * The program's version.
 */
version: string, 
/**
 * It speaks another version of the messages, and gets no jobs.
 */
incompatible: boolean, 
/**
 * How many jobs it does at once.
 */
threads: number, 
/**
 * Megabytes it may use, if that is limited.
 */
memory: number | null, 
/**
 * What it does; everything if this is empty.
 */
kinds: Array<string>, 
/**
 * Pools it belongs to.
 */
labels: Array<string>, 
/**
 * What it does now.
 */
running: Array<GridJob>, 
/**
 * Jobs done since it started.
 */
done: number, 
/**
 * Jobs that could not be done.
 */
failed: number, 
/**
 * Jobs of another version.
 */
refused: number, 
/**
 * It finishes what it does and takes no more.
 */
leaving: boolean, 
/**
 * It takes no jobs while other programs use its machine; its threads are those that are still at work.
 */
paused: boolean, 
/**
 * Its answers are not read.
 */
dropped: boolean, };

export type Heat = { 
/**
 * The best cells, the hottest first.
 */
cells: Array<HeatCell>, };

export type HeatCell = { 
/**
 * Where.
 */
cell: string, 
/**
 * 1 for the hottest, down to 0.
 */
heat: number, };

export type ImportQuery = { 
/**
 * What to call it; the file's name.
 */
name?: string, 
/**
 * `sgf`, `lib`, `psq`, `ccgc`, `littlegolem`, `moves`, `setup`; guessed without.
 */
format?: string, 
/**
 * The game, where the file does not say it.
 */
rules?: string, 
/**
 * The character set, where the file does not say it.
 */
charset?: string, };

export type Job = { 
/**
 * Its number.
 */
id: number, 
/**
 * Grows with every change of any job: later is newer.
 */
sequence: number, 
/**
 * What sort.
 */
kind: JobKind, 
/**
 * What was asked.
 */
request: JobRequest, 
/**
 * The study it was asked in.
 */
study: number | null, 
/**
 * The node of that study.
 */
node: number | null, 
/**
 * How it stands.
 */
state: JobState, 
/**
 * How far it is.
 */
progress: JobProgress, 
/**
 * What came out.
 */
outcome: JobOutcome | null, 
/**
 * Why it failed.
 */
error: string | null, 
/**
 * Whether somebody has looked at the outcome.
 */
seen: boolean, 
/**
 * When it was made.
 */
created: number, 
/**
 * When it ended.
 */
finished: number | null, };

export type JobKind = "analyze" | "turn" | "find-win" | "verify" | "check" | "import-games";

export type JobOutcome = { "kind": "analysis", 
/**
 * The best first.
 */
lines: Array<Line>, 
/**
 * Every turn that is not excluded and not listed is proved to lose.
 */
others_lose: boolean, } | { "kind": "turn", 
/**
 * What is played.
 */
turn: Array<string>, 
/**
 * What the engine believes.
 */
opinion: Opinion, } | { "kind": "win", 
/**
 * Who wins.
 */
side: Side, 
/**
 * How it begins.
 */
turn: Array<string>, 
/**
 * The winner's turns against the longest defence.
 */
turns: number, 
/**
 * The stored proof.
 */
proof: number, 
/**
 * Z1, Z2, Z3: where stones of the defender could matter.
 */
zones: Array<Array<string>>, 
/**
 * The winning tree as nodes to insert: node ids from 1, parent 0 is the position searched.
 */
tree: Array<Node>, } | { "kind": "none" } | { "kind": "unknown" } | { "kind": "verified", 
/**
 * Who claims to win: the side that just moved.
 */
attacker: Side, 
/**
 * Replies that are not proved to lose; none: the attacker wins.
 */
survivors: Array<Survivor>, 
/**
 * How many of all replies survive, counted as whole turns; nothing where they cannot be counted.
 */
open: number | null, 
/**
 * How many replies there are; 0 on infinite boards.
 */
replies: number, 
/**
 * The stored proof that the others lose.
 */
proof: number | null, 
/**
 * Z1, Z2, Z3 of the proof against the null turn, if there is one.
 */
zones: Array<Array<string>>, 
/**
 * Whether every reply was tried to the last stage.
 */
finished: boolean, } | { "kind": "checked", 
/**
 * The proof with its new state.
 */
proof: ProofSummary, } | { "kind": "imported", 
/**
 * The collection.
 */
collection: number, 
/**
 * Games stored.
 */
games: number, 
/**
 * Games left out, with the first reasons.
 */
refused: number, 
/**
 * Why, at most ten.
 */
reasons: Array<string>, };

export type JobProgress = { 
/**
 * Seconds worked.
 */
seconds: number, 
/**
 * The most seconds it may work.
 */
limit: number | null, 
/**
 * Nodes searched, games read.
 */
nodes: number, 
/**
 * The depth of an analysis.
 */
depth: number | null, 
/**
 * The lines of an analysis so far.
 */
lines: Array<Line>, 
/**
 * Of a verification: the stage, from 1.
 */
stage: number | null, 
/**
 * Of a verification: how many stages there are.
 */
stages: number | null, 
/**
 * Of a verification: replies proved to lose.
 */
refuted: number | null, 
/**
 * Of a verification: replies that are still tried.
 */
open: number | null, 
/**
 * Of an import: how many games there are.
 */
total: number | null, };

export type JobRequest = { "kind": "analyze", 
/**
 * The game.
 */
rules: string, 
/**
 * The position.
 */
position: string, 
/**
 * How many turns to rank; 1 to 8.
 */
lines: number, 
/**
 * Turns that are not considered.
 */
exclude: Array<Array<string>>, 
/**
 * The most seconds; 600 without.
 */
seconds?: number, } | { "kind": "turn", 
/**
 * The game.
 */
rules: string, 
/**
 * The position.
 */
position: string, 
/**
 * 1 to 10.
 */
level: number, 
/**
 * The most seconds; 5 without.
 */
seconds?: number, } | { "kind": "find-win", 
/**
 * The game.
 */
rules: string, 
/**
 * The position.
 */
position: string, 
/**
 * 1 VCDT, 2 VCST, 3 and 4 with quiet turns.
 */
order: number, 
/**
 * The most seconds; 60 without.
 */
seconds?: number, } | { "kind": "verify", 
/**
 * The game.
 */
rules: string, 
/**
 * The position after the turn that is claimed to win.
 */
position: string, 
/**
 * Of the searches inside; 1 or 2.
 */
order: number, 
/**
 * The most seconds; 120 without.
 */
seconds?: number, } | { "kind": "check", 
/**
 * Which.
 */
proof: number, } | { "kind": "import-games", 
/**
 * The collection.
 */
collection: number, };

export type JobState = "queued" | "running" | "checking" | "done" | "failed" | "stopped";

export type JudgeRequest = { 
/**
 * The game.
 */
rules: string, 
/**
 * The position before the turn, with a whole turn to play.
 */
position: string, 
/**
 * What is asked for.
 */
kind: PuzzleKind, 
/**
 * The order of the win: 1, 2 or 3.
 */
order: number, 
/**
 * The turn.
 */
turn: Array<string>, };

export type Judged = { 
/**
 * What it is worth.
 */
worth: Worth, 
/**
 * In how many turns it wins, itself counted.
 */
within: number | null, 
/**
 * What the opponent plays.
 */
reply: Array<string>, };

export type Line = { 
/**
 * The turn (with a half-turn placed: what is left of it).
 */
turn: Array<string>, 
/**
 * How the game may go on, from the turn after it.
 */
then: Array<Array<string>>, 
/**
 * What is believed of the position after the turn.
 */
opinion: Opinion, };

export type Live = { "type": "snapshot", 
/**
 * The jobs.
 */
jobs: Array<Job>, } | { "type": "job", 
/**
 * The whole job.
 */
job: Job, } | { "type": "forgotten", 
/**
 * Which.
 */
job: number, } | { "type": "study", 
/**
 * How.
 */
change: StudyChange, } | { "type": "search", 
/**
 * The search without its tree.
 */
search: SearchSummary, } | { "type": "search-deleted", 
/**
 * Which.
 */
search: number, } | { "type": "grid", 
/**
 * The sums.
 */
grid: GridSummary, } | { "type": "library" };

export type Mark = { 
/**
 * Where.
 */
cell: string, 
/**
 * What.
 */
kind: MarkKind, 
/**
 * The text of a label; empty for shapes.
 */
text: string, };

export type MarkKind = "label" | "cross" | "circle" | "square" | "triangle";

export type NewBookComment = { 
/**
 * The game.
 */
rules: string, 
/**
 * The position it speaks of.
 */
position: string, 
/**
 * At most 10,000 characters.
 */
text: string, 
/**
 * A tag such as `en`.
 */
language?: string, 
/**
 * Who writes it.
 */
source?: string, };

export type NewJob = { 
/**
 * What to do.
 */
request: JobRequest, 
/**
 * The study it was asked in.
 */
study?: number, 
/**
 * The node of that study.
 */
node?: number, };

export type NewSearch = { 
/**
 * The game.
 */
rules: string, 
/**
 * Where it starts: stones in play order or a set-up, whole turns only.
 */
position: string, 
/**
 * What to call it; the name of the opening without.
 */
title?: string, 
/**
 * What is supposed of positions at work: `virtual-win`, `virtual-loss`, `greedy`, `virtual-equivalence` or `patient`; or
 * `uct`, which goes by the mean of the verdicts. `patient` without.
 */
policy?: string, 
/**
 * Whose win is looked for; `black` without, `both` for either.
 */
attacker?: SearchAttacker, 
/**
 * How many jobs may run at a time; as many as the server has workers without.
 */
workers?: number, };

export type NewStudy = { 
/**
 * Its name.
 */
title?: string, 
/**
 * The folder.
 */
folder?: string, 
/**
 * The game; cannot be changed later.
 */
rules?: string, 
/**
 * Where the tree starts; cannot be changed later.
 */
start?: string, 
/**
 * Stones in play order that make the first line of the tree; at creation only.
 */
moves?: string, 
/**
 * Facts about the game.
 */
info?: GameInfo, };

export type NewTitle = { 
/**
 * At most 200 characters.
 */
title: string, };

export type Node = { 
/**
 * Chosen by whoever adds the node: larger than any the study ever had, see `next_node` of the study.
 */
id: number, 
/**
 * The node before; nothing for the root.
 */
parent: number | null, 
/**
 * Siblings are ordered by this; the first is the main line.
 */
order: number, 
/**
 * The stones, sorted by whoever played them: the set counts. Shorter than a turn only at the end of a line and
 * before a pass, which is an empty turn.
 */
turn: Array<string>, 
/**
 * A name makes the node a chapter.
 */
name: string, 
/**
 * Free text.
 */
comment: string, 
/**
 * Marks and labels on cells.
 */
marks: Array<Mark>, 
/**
 * Arrows between cells.
 */
arrows: Array<Arrow>, 
/**
 * What is known or believed of the position after the turn.
 */
opinion: Opinion | null, };

export type Opening = { 
/**
 * Such as `TX-d21`.
 */
name: string, 
/**
 * Its stones in play order.
 */
moves: string, 
/**
 * Games with it.
 */
games: number, 
/**
 * Of these, won by Black,
 */
black: number, 
/**
 * by White.
 */
white: number, 
/**
 * What a verified proof or a study says of it.
 */
opinion: Opinion | null, };

export type Opinion = { 
/**
 * How sure.
 */
certainty: Certainty, 
/**
 * Who is ahead or wins; nobody if even or open.
 */
side: Side | null, 
/**
 * Black's share, 0 to 1; of proved positions 0 or 1. A hint for drawing, not a probability.
 */
black: number, 
/**
 * Of proved wins: the winner's turns from this position on, against the longest defence; 0 if his line is
 * complete.
 */
turns: number | null, 
/**
 * Of likely wins: 1 to 4.
 */
grade: number | null, 
/**
 * The proof.
 */
proof: number | null, };

export type Patch = { 
/**
 * Nodes that are new or changed, whole; parents before children.
 */
put: Array<Node>, 
/**
 * Nodes that are no longer there.
 */
remove: Array<number>, };

export type Place = { 
/**
 * What it is.
 */
kind: PlaceKind, 
/**
 * The number of the study, game or proof.
 */
id: number, 
/**
 * The node of a study, the turn of a game.
 */
at: number, 
/**
 * What to call it.
 */
title: string, 
/**
 * A date, or the state of a proof.
 */
note: string, 
/**
 * The tree has it turned or mirrored.
 */
turned: boolean, };

export type PlaceKind = "study" | "game" | "proof";

export type PlacesRequest = { 
/**
 * The game.
 */
rules: string, 
/**
 * The position.
 */
position: string, 
/**
 * The node one looks from: it is left out.
 */
study?: number, 
/**
 * Of that study.
 */
node?: number, };

export type PlayedTurn = { 
/**
 * Whose.
 */
side: Side, 
/**
 * The stones.
 */
turn: Array<string>, };

export type PositionText = { 
/**
 * `connect6`, `gomoku`, `gomoku-standard`, `tic-tac-toe` or `m,n,k,p,q`.
 */
rules: string, 
/**
 * Stones in play order (`J10 I8 H9`, empty for the empty board) or a set-up (`B:J10 W:I8,H9 to-move:B`).
 */
position: string, };

export type ProofState = "unverified" | "checking" | "verified" | "verified-except" | "rejected" | "undecided";

export type ProofSummary = { 
/**
 * Its number.
 */
id: number, 
/**
 * Its name.
 */
title: string, 
/**
 * The game.
 */
rules: string, 
/**
 * Where it starts, as a set-up.
 */
position: string, 
/**
 * The stones in play order if they are known, or empty.
 */
moves: string, 
/**
 * Who is claimed to win.
 */
attacker: Side, 
/**
 * Who moves first.
 */
to_move: Side, 
/**
 * How many nodes it has.
 */
nodes: number, 
/**
 * Of the compact file.
 */
bytes: number, 
/**
 * The winner's turns against the longest defence.
 */
turns: number | null, 
/**
 * What the checker says.
 */
state: ProofState, 
/**
 * The checker's reason where it is not verified.
 */
reason: string | null, 
/**
 * Replies it leaves open.
 */
except: Array<Array<string>>, 
/**
 * When it was checked.
 */
checked: number | null, 
/**
 * How many seconds the check took.
 */
check_seconds: number | null, 
/**
 * Which checker.
 */
checker: string | null, 
/**
 * When it was stored.
 */
created: number, };

export type PuzzleCollection = { 
/**
 * Its name; `starter` comes with Tengen.
 */
name: string, 
/**
 * How many it has.
 */
puzzles: number, };

export type PuzzleDetail = { 
/**
 * What the list says.
 */
summary: PuzzleSummary, 
/**
 * The game.
 */
rules: string, 
/**
 * The set-up.
 */
position: string, 
/**
 * The first turn; one stone if the other is free.
 */
solution: Array<string>, 
/**
 * The solution against the most stubborn replies.
 */
main_line: Array<Array<string>>, 
/**
 * Turns that tempt and fail.
 */
tries: Array<PuzzleTry>, };

export type PuzzleKind = "win" | "defence";

export type PuzzleQuery = { 
/**
 * Its name; the one that comes with Tengen if it is left out.
 */
collection?: string, };

export type PuzzleSummary = { 
/**
 * Its name.
 */
id: string, 
/**
 * What is asked for.
 */
kind: PuzzleKind, 
/**
 * 1 for wins by double threats, 2 for wins that need single ones.
 */
order: number, 
/**
 * The attacker's turns to the completed line.
 */
turns: number, 
/**
 * From 1, the easiest.
 */
grade: number, 
/**
 * Machine difficulty.
 */
rating: number, 
/**
 * What it is about: `double-threat`, `single-threat`, `quiet`, `counter-threat`, `under-threat`, `one-stone`, `long`, `defence`.
 */
themes: Array<string>, };

export type PuzzleTry = { 
/**
 * The turn.
 */
turn: Array<string>, 
/**
 * Why it fails.
 */
reply: Array<string>, };

export type Revision = { 
/**
 * Another one is a conflict.
 */
base: number, };

export type SearchChild = { 
/**
 * The turn, in the orientation of the node's own line.
 */
turn: Array<string>, 
/**
 * The node after it. It may have been reached otherwise before: then its line is another one.
 */
node: number, 
/**
 * The name of the opening after it.
 */
opening: string | null, 
/**
 * The proof number.
 */
proof: number | null, 
/**
 * The disproof number.
 */
disproof: number | null, 
/**
 * What was thought of it when it was found.
 */
verdict: string, 
/**
 * Who wins, proved.
 */
decided: Side | null, 
/**
 * Whether a job works on it.
 */
active: boolean, 
/**
 * The mean of the verdicts for Black, in a search by `uct`.
 */
mean: number | null, 
/**
 * Whether it was excluded by hand.
 */
excluded: boolean, 
/**
 * How many turns are known after it.
 */
children: number, };

export type SearchAttacker = "black" | "white" | "both";

export type SearchEnd = "proved" | "claimed";

export type SearchNode = { 
/**
 * Its number in the search; 0 is the root.
 */
id: number, 
/**
 * Who moves.
 */
side: Side, 
/**
 * The turns from the root, in the orientation of the root.
 */
line: Array<Array<string>>, 
/**
 * The position as a set-up, after this line.
 */
position: string, 
/**
 * The proof number.
 */
proof: number | null, 
/**
 * The disproof number.
 */
disproof: number | null, 
/**
 * What was thought of it when it was found: `b4`, `stable`, `w2`.
 */
verdict: string, 
/**
 * The mean of the verdicts for Black, in a search by `uct`.
 */
mean: number | null, 
/**
 * Who wins, proved.
 */
decided: Side | null, 
/**
 * A proof of its own in the book; a node that is decided by its children has none.
 */
own_proof: string | null, 
/**
 * Whether and why all other turns lose.
 */
closed: SearchEnd | null, 
/**
 * Whether a job works on it.
 */
active: boolean, 
/**
 * Whether the workers have given it up.
 */
gave_up: boolean, 
/**
 * It was proved for both sides: something is badly wrong.
 */
contradicted: boolean, 
/**
 * Its turns, the best of the side to move first.
 */
children: Array<SearchChild>, 
/**
 * How many more turns there are: only the first few hundred are listed.
 */
more: number, };

export type SearchState = "running" | "paused" | "stopped" | "stuck" | "solved";

export type SearchSummary = { 
/**
 * Its number.
 */
id: number, 
/**
 * For people.
 */
title: string, 
/**
 * The game.
 */
rules: string, 
/**
 * The root as a set-up.
 */
root: string, 
/**
 * The root's stones in play order where they can be told, or empty.
 */
moves: string, 
/**
 * The name of its opening, such as `TX-d21`.
 */
opening: string | null, 
/**
 * How it stands.
 */
state: SearchState, 
/**
 * Who wins, proved.
 */
winner: Side | null, 
/**
 * The root's proof number.
 */
proof: number | null, 
/**
 * The root's disproof number.
 */
disproof: number | null, 
/**
 * Positions in the tree.
 */
nodes: number, 
/**
 * Jobs done.
 */
jobs: number, 
/**
 * Jobs at work.
 */
active: number, 
/**
 * How many workers it was started with.
 */
workers: number | null, 
/**
 * Seconds that the jobs took, all together.
 */
seconds: number, 
/**
 * Positions that a worker looks at in a second.
 */
speed: number, 
/**
 * Events in its journal: grows with every change of the tree.
 */
events: number, 
/**
 * Seconds that are left, a very rough guess, while it runs.
 */
left: number | null, 
/**
 * What went wrong in its last run, the last one last.
 */
notes: Array<string>, 
/**
 * What was asked of it by hand and is not done yet.
 */
asked: number, 
/**
 * Who works on it, if it is another process than this server.
 */
elsewhere: string | null, 
/**
 * When it was made.
 */
created: number, 
/**
 * Why its journal cannot be read.
 */
error: string | null, };

export type SearchTree = { 
/**
 * The search.
 */
search: SearchSummary, 
/**
 * The principal line: the nodes that both sides' numbers lead to.
 */
principal: Array<number>, 
/**
 * The principal line and the ways to the nodes at work, or those that were asked for; parents first.
 */
nodes: Array<SearchNode>, };

export type SearchTreeQuery = { 
/**
 * How many turns from the root; 12 without, at most 60.
 */
depth?: number, 
/**
 * How many nodes; 60 without, at most 300.
 */
limit?: number, 
/**
 * These nodes instead, at most 300: `0,4,17`.
 */
ids?: string, };

export type SearchTurn = { 
/**
 * A turn of the node, in the orientation of its line.
 */
turn: Array<string>, };

export type Shape = { 
/**
 * Live or dead.
 */
kind: ShapeKind, 
/**
 * l.
 */
stones: number, 
/**
 * The cells of its windows in order, its stones among them.
 */
cells: Array<string>, };

export type ShapeKind = "live" | "dead";

export type Side = "black" | "white";

export type SideFacts = { 
/**
 * How many stones the other side needs to stop all threats; one more than a turn means "too many". Nothing
 * is said of games with more than five stones a turn.
 */
threats: number, 
/**
 * The windows that one turn completes.
 */
windows: Array<Window>, 
/**
 * Turns that win at once.
 */
wins: Array<Array<string>>, 
/**
 * Smallest sets of stones that stop all threats.
 */
defences: Array<Array<string>>, 
/**
 * Sets that stop all threats with more stones than needed, none of them superfluous.
 */
relaxed: Array<Array<string>>, 
/**
 * Live and dead lines with at least two stones, the largest first.
 */
shapes: Array<Shape>, };

export type Stone = { 
/**
 * Where.
 */
cell: string, 
/**
 * Whose.
 */
side: Side, 
/**
 * In which turn, from 1; 0 if it was there at the start.
 */
turn: number, };

export type Study = { 
/**
 * Its number.
 */
id: number, 
/**
 * Its name.
 */
title: string, 
/**
 * The folder in the library; empty for the top.
 */
folder: string, 
/**
 * As in [`super::PositionText`].
 */
rules: string, 
/**
 * Where the tree starts: empty for the empty board, or a set-up.
 */
start: string, 
/**
 * Facts about the game.
 */
info: GameInfo, 
/**
 * Counts edits, undone and redone ones too.
 */
revision: number, 
/**
 * How many nodes the tree has, the root included.
 */
nodes: number, 
/**
 * The number for the next new node: larger than any the study ever had.
 */
next_node: number, 
/**
 * Whether there is an edit to take back.
 */
can_undo: boolean, 
/**
 * Whether there is an edit taken back.
 */
can_redo: boolean, 
/**
 * When it was made.
 */
created: number, 
/**
 * When it was changed.
 */
updated: number, };

export type StudyChange = { 
/**
 * Which.
 */
study: number, 
/**
 * After the change.
 */
edited: Edited, 
/**
 * What changed.
 */
patch: Patch, };

export type Survivor = { 
/**
 * Its stones; fewer than a turn: together with any others.
 */
stones: Array<string>, };

export type Undone = { 
/**
 * The new state.
 */
edited: Edited, 
/**
 * The label of the edit that was undone or redone.
 */
label: string, 
/**
 * What changed.
 */
patch: Patch, };

export type Window = { 
/**
 * Its cells in order.
 */
cells: Array<string>, 
/**
 * Those without a stone.
 */
empty: Array<string>, };

export type Worth = "decides" | "wins" | "refuted" | "loses-at-once" | "not-forcing" | "holds" | "unknown";
