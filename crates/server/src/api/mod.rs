//! What the page and scripts say to the server and hear from it: the one source of the OpenAPI page
//! (`/api/openapi.json`) and of the page's TypeScript types (`web/src/api/types.ts`).
//!
//! Cells are written as everywhere (`K10`; `(-3,12)` off the letters of an infinite board), turns are lists of
//! cells, sides are `black` and `white`, times are seconds since 1970. A position is a text that
//! `tengen show` understands: stones in play order, or a set-up.

mod book;
mod common;
mod drawn;
mod games;
mod gomoku;
mod grid;
mod jobs;
mod positions;
mod proofs;
mod puzzles;
mod searches;
mod studies;

pub use book::{
    Atlas, AtlasClass, AtlasQuery, AtlasState, BookClaim, BookComment, BookEntry, BookHit,
    BookHitKind, BookName, BookOpinion, BookProof, BookQuery, BookSearchQuery, BookStats, BookTurn,
    NewBookComment,
};
pub use common::{About, ApiError, PositionText, Side, Turn};
pub use drawn::{DrawnAnswer, DrawnGame, DrawnRequest};
pub use games::{
    Collection, ExploreRequest, Explored, ExploredTurn, Game, GameList, GameQuery, ImportQuery,
    Opening, Place, PlaceKind, PlacesRequest,
};
pub use gomoku::{GomokuAnswer, GomokuProof, GomokuQuery, GomokuState};
pub use grid::{
    GridClass, GridDropped, GridHistory, GridHistoryQuery, GridJob, GridLost, GridReason,
    GridSample, GridSearch, GridSpan, GridState, GridSummary, GridTrouble, GridUsage, GridWorker,
};
pub use jobs::{
    Certainty, Job, JobKind, JobOutcome, JobProgress, JobRequest, JobState, Line, Live, NewJob,
    Opinion, Survivor,
};
pub use positions::{Facts, Heat, HeatCell, Shape, ShapeKind, SideFacts, Stone, Window};
pub use proofs::{
    Challenge, ChallengeReason, ChallengeRequest, Defence, NewTitle, PlayedTurn, ProofState,
    ProofSummary,
};
pub use puzzles::{
    JudgeRequest, Judged, PuzzleCollection, PuzzleDetail, PuzzleKind, PuzzleQuery, PuzzleSummary,
    PuzzleTry, Worth,
};
pub use searches::{
    NewSearch, SearchAttacker, SearchChild, SearchEnd, SearchNode, SearchState, SearchSummary,
    SearchTree, SearchTreeQuery, SearchTurn,
};
pub use studies::{
    Arrow, Document, Edit, Edited, GameInfo, Mark, MarkKind, NewStudy, Node, Patch, Revision,
    Study, StudyChange, Undone,
};
