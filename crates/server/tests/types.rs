//! The page's types are ours: `web/src/api/types.ts` is written from `src/api`.
//!
//! `UPDATE_TYPES=1 cargo test -p tengen-server --test types` writes the file anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tengen_server::api;
use ts_rs::{Config, TS};

const HEADER: &str = "// Written from crates/server/src/api by `make types`; do not edit.\n";

fn declarations() -> String {
    let config = Config::default();
    let mut text = HEADER.to_owned();
    macro_rules! declare {
        ($($name:ident),* $(,)?) => {
            $(
                let declaration = <api::$name as TS>::decl(&config);
                writeln!(text, "\nexport {declaration}").expect("writing to a string");
            )*
        };
    }
    declare!(
        About,
        ApiError,
        Arrow,
        Atlas,
        AtlasClass,
        AtlasQuery,
        AtlasState,
        BookClaim,
        BookComment,
        BookEntry,
        BookHit,
        BookHitKind,
        BookName,
        BookOpinion,
        BookProof,
        BookQuery,
        BookSearchQuery,
        BookStats,
        BookTurn,
        Certainty,
        Challenge,
        ChallengeReason,
        ChallengeRequest,
        Collection,
        Defence,
        Document,
        DrawnAnswer,
        DrawnGame,
        DrawnRequest,
        Edit,
        Edited,
        ExploreRequest,
        Explored,
        ExploredTurn,
        Facts,
        Game,
        GameInfo,
        GameList,
        GameQuery,
        GomokuAnswer,
        GomokuProof,
        GomokuQuery,
        GomokuState,
        GridClass,
        GridDropped,
        GridHistory,
        GridHistoryQuery,
        GridJob,
        GridLost,
        GridReason,
        GridSample,
        GridSearch,
        GridSpan,
        GridState,
        GridSummary,
        GridTrouble,
        GridUsage,
        GridWorker,
        Heat,
        HeatCell,
        ImportQuery,
        Job,
        JobKind,
        JobOutcome,
        JobProgress,
        JobRequest,
        JobState,
        JudgeRequest,
        Judged,
        Line,
        Live,
        Mark,
        MarkKind,
        NewBookComment,
        NewJob,
        NewSearch,
        NewStudy,
        NewTitle,
        Node,
        Opening,
        Opinion,
        Patch,
        Place,
        PlaceKind,
        PlacesRequest,
        PlayedTurn,
        PositionText,
        ProofState,
        ProofSummary,
        PuzzleCollection,
        PuzzleDetail,
        PuzzleKind,
        PuzzleQuery,
        PuzzleSummary,
        PuzzleTry,
        Revision,
        SearchChild,
        SearchAttacker,
        SearchEnd,
        SearchNode,
        SearchState,
        SearchSummary,
        SearchTree,
        SearchTreeQuery,
        SearchTurn,
        Shape,
        ShapeKind,
        Side,
        SideFacts,
        Stone,
        Study,
        StudyChange,
        Survivor,
        Undone,
        Window,
        Worth,
    );
    text
}

#[test]
fn the_page_has_our_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/api/types.ts");
    let wanted = declarations();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        fs::write(&path, &wanted).expect("web/src/api can be written");
    }
    let found = fs::read_to_string(&path).expect("web/src/api/types.ts");
    assert!(
        found == wanted,
        "run `make types`: web/src/api/types.ts is out of date"
    );
}
