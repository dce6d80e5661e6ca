//! One file per command.

pub(crate) mod bench;
pub(crate) mod convert;
pub(crate) mod papers;
pub(crate) mod perft;
pub(crate) mod show;
pub(crate) mod threats;
