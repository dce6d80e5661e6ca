//! The soundness of the prover: what it claims is compared with searches that know nothing but the
//! rules of the game, and every proof is given to the checker.
//!
//! | file | what it does |
//! |---|---|
//! | `naive.rs` | the game on bit masks, and two exhaustive searches: threats only, and everything |
//! | `support.rs` | random positions, solving, checking |
//! | `brute_force.rs` | thousands of positions on small boards, for many rules |
//! | `definition.rs` | zones: irrelevant stones do not break a win |
//! | `games.rs` | positions of real games |
//! | `higher.rs` | orders 3 and 4: thousands of wins by turns that make no threat |
//! | `lambda.rs` | Λ-search of any order by brute force |
//! | `mutants.rs` | damaged proofs are rejected, or are proofs still |
//! | `quiet.rs` | order 2 by brute force: `None` is true |
//! | `repeat.rs` | a search leaves nothing behind |
//! | `solved.rs` | the table in `suites/solved` |
//! | `traps.rs` | each trap of the theory, with a position built for it |
//! | `verifier.rs` | replies that are struck out lose |
//! | `walk.rs` | random walks among positions with quiet wins |

mod brute_force;
mod definition;
mod games;
mod higher;
mod lambda;
mod mutants;
mod naive;
mod quiet;
mod repeat;
mod solved;
mod support;
mod traps;
mod verifier;
mod walk;
