//! The checker reads every proof again; and how much there is in a book.

use crate::{
    Book, CHECKER, CheckedProof, Error, ProofId, ProofState, ProofSummary, Result, fields, proofs,
};

/// What checking every proof has shown.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Proofs that were read.
    pub proofs: u64,
    /// Those that prove a win.
    pub verified: u64,
    /// Those that leave replies open.
    pub verified_except: u64,
    /// Those that prove nothing, and why. They prove nothing in the book either from now on.
    pub failed: Vec<(ProofId, String)>,
    /// Those of them that the book called verified, with or without exceptions, until now.
    pub demoted: u64,
    /// Whether all proofs were read.
    pub complete: bool,
}

/// How much there is in a book.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Info {
    /// Positions up to symmetry.
    pub positions: u64,
    /// Positions that a verified proof decides.
    pub proved: u64,
    /// Turns.
    pub turns: u64,
    /// Traditional names.
    pub names: u64,
    /// Comments.
    pub comments: u64,
    /// Opinions.
    pub opinions: u64,
    /// Claims that nobody has checked.
    pub claims: u64,
    /// Proofs of each state.
    pub proofs: Vec<(ProofState, u64)>,
    /// Games.
    pub games: u64,
    /// Sources.
    pub sources: u64,
    /// Searches.
    pub searches: u64,
    /// Their events.
    pub events: u64,
    /// The version of the schema.
    pub version: u32,
    /// The size of the file.
    pub bytes: u64,
}

impl Book {
    /// Has every proof checked again and stores what the checker says now. `progress` hears how many are done of how
    /// many, and says whether to go on.
    pub fn check(&self, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<Checked> {
        let ids = self.read(proofs::all)?;
        let mut report = Checked::default();
        for &id in &ids {
            if !progress(report.proofs, ids.len() as u64) {
                return Ok(report);
            }
            self.check_one(id, &mut report)?;
        }
        progress(report.proofs, ids.len() as u64);
        report.complete = true;
        Ok(report)
    }

    fn check_one(&self, id: ProofId, report: &mut Checked) -> Result<()> {
        let before = self.proof(id)?;
        let believed = |proof: &ProofSummary| {
            matches!(
                proof.state,
                ProofState::Verified | ProofState::VerifiedExcept
            )
        };
        let failed = match self.proof_text(id).and_then(|text| checked(text, id)) {
            Ok(proof) if proof.state() == ProofState::Undecided => {
                self.demote(id, ProofState::Undecided, &proof.reason())?;
                Some(format!("undecided: {}", proof.reason()))
            }
            Ok(proof) => {
                self.add_checked(&proof)?;
                match proof.state() {
                    ProofState::Verified => report.verified += 1,
                    ProofState::VerifiedExcept => report.verified_except += 1,
                    ProofState::Rejected | ProofState::Undecided => {}
                }
                let state = proof.state().name();
                (!proof.reason().is_empty()).then(|| format!("{state}: {}", proof.reason()))
            }
            Err(error @ (Error::Damaged(_) | Error::Proof(_))) => {
                self.demote(id, ProofState::Rejected, &error.to_string())?;
                Some(error.to_string())
            }
            Err(other) => return Err(other),
        };
        report.proofs += 1;
        if let Some(reason) = failed {
            report.demoted += u64::from(before.as_ref().is_some_and(believed));
            report.failed.push((id, reason));
        }
        Ok(())
    }

    /// What cannot be read, or not be checked to the end, proves nothing.
    fn demote(&self, id: ProofId, state: ProofState, reason: &str) -> Result<()> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE proofs SET state = ?, reason = ?, checker = ?, checked = ? WHERE id = ?",
                rusqlite::params![state.name(), reason, CHECKER, fields::now(), id.0],
            )?;
            Ok(())
        })
    }

    /// How much there is.
    pub fn info(&self) -> Result<Info> {
        self.read(|connection| {
            let count = |query: &str| -> Result<u64> {
                let number: i64 = connection.query_row(query, [], |row| row.get(0))?;
                Ok(number as u64)
            };
            let rows = |table: &str| count(&format!("SELECT count(*) FROM {table}"));
            let mut proofs = Vec::new();
            for state in ProofState::ALL {
                let query = format!(
                    "SELECT count(*) FROM proofs WHERE state = '{}'",
                    state.name()
                );
                proofs.push((state, count(&query)?));
            }
            Ok(Info {
                positions: rows("positions")?,
                proved: count(
                    "SELECT count(DISTINCT position) FROM proofs WHERE state = 'verified'",
                )?,
                turns: rows("turns")?,
                names: rows("names")?,
                comments: rows("comments")?,
                opinions: rows("opinions")?,
                claims: rows("claims")?,
                proofs,
                games: rows("games")?,
                sources: count("SELECT count(*) FROM sources WHERE id <> 0")?,
                searches: rows("searches")?,
                events: count("SELECT ifnull(sum(events), 0) FROM searches")?,
                version: count("PRAGMA user_version")? as u32,
                bytes: count("PRAGMA page_count")? * count("PRAGMA page_size")?,
            })
        })
    }
}

fn checked(text: Option<String>, id: ProofId) -> Result<CheckedProof> {
    let text = text.ok_or_else(|| Error::Damaged(format!("proof {id} has vanished")))?;
    CheckedProof::check(text)
}
