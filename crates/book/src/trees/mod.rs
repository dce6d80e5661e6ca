//! Files of other programs: trees with comments and collections of games in, trees out.

mod export;
mod import;

pub use import::{ImportOptions, Imported};
