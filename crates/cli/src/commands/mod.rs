//! One file per command.

pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod check_gomoku;
pub(crate) mod convert;
pub(crate) mod drawn;
pub(crate) mod engine;
pub(crate) mod grid;
pub(crate) mod match_;
pub(crate) mod opening;
pub(crate) mod papers;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod proof;
pub(crate) mod puzzle;
pub(crate) mod reproduce;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod solve_jsonl;
pub(crate) mod threats;
pub(crate) mod tournament;
pub(crate) mod verify;
pub(crate) mod worker;
