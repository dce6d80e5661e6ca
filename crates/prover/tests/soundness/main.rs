//! The soundness of the prover: what it claims is compared with searches that know nothing but the
//! rules of the game, and every proof is given to the checker.
//!
//! | file | what it does |
//! |---|---|
//! | `naive.rs` | the game on bit masks, and two exhaustive searches: threats only, and everything |
//! | `support.rs` | random positions, solving, checking |
//! | `brute_force.rs` | thousands of positions on small boards, for many rules |

mod brute_force;
mod naive;
mod support;
