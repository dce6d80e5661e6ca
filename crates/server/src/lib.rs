//! The workbench's server: studies, games and proofs in one SQLite file, long work as jobs, and the page.
//!
//! | folder | what is there |
//! |---|---|
//! | `api/` | what is said over HTTP: types only, also the source of the page's types |
//! | `routes/` | one file for each part of the API: unpacks requests, asks the other folders, packs answers |
//! | `database/` | the SQLite file: schema, reading and writing studies, games, proofs, jobs |
//! | `games/` | reading collections of games |
//! | `gomoku.rs` | playing against a proof that Black wins Go-Moku |
//! | `jobs/` | long work on worker threads |
//! | `searches/` | the book of openings, and searches that write into it |
//! | `live.rs` | who is told what changes |
//! | `players.rs` | playing against stored proofs |
//! | `convert.rs` | between the words of the API and those of the rules |
//! | `key.rs` | the name of a position under symmetry |
//! | `tree/` | trees of turns, from files and to files |
//! | `security/` | who may ask: tokens, origins, rates |
//! | `assets.rs` | the page, inside the binary |

pub mod api;
mod app;
mod assets;
mod config;
mod convert;
mod database;
mod error;
mod games;
mod gomoku;
mod grid;
mod jobs;
mod live;
mod players;
mod puzzles;
mod routes;
mod run;
mod searches;
mod security;
mod tree;
mod upload;

pub use app::{App, open, router, serve};
pub use config::Config;
pub use error::{Failure, StartError};
pub use gomoku::{Gomoku, GomokuError};
pub use run::run;
