//! Runs a search whose workers are whoever writes to its standard input, one JSON object a line: the tests of the page
//! let a tree grow with it.
//!
//! | line | does | answers |
//! |---|---|---|
//! | `{"do":"create","title":"x","rules":"connect6","root":"J10 I8 H9"}` | makes a search and takes its lease | its number |
//! | `{"do":"answer","node":0,"turns":[["K11 L10","b3"]]}` | a job has found turns | how many events there are |
//! | `{"do":"prove","proof":"tengen-proof 1 ..."}` | a job has proved the root | how many events there are |
//! | `{"do":"active","nodes":[1]}` | shows what is at work | |
//! | `{"do":"stuck","note":"x"}` | shows that nothing is left to try, and what went wrong | |
//! | `{"do":"commands"}` | does what people ask for | how many that were |

use std::error::Error;
use std::io::{BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::json;
use tengen_book::{Book, CheckedProof, Lease, NewSearch};
use tengen_grid::search::{Config, Event, NodeId, Search};
use tengen_grid::{Decision, Evidence, Expansion, Found, ProofId, Verdict};
use tengen_rules::{Position, Turn, position_key};

type Outcome<T> = Result<T, Box<dyn Error>>;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
enum Line {
    Create {
        title: String,
        rules: String,
        root: String,
    },
    Answer {
        node: u32,
        turns: Vec<(String, Verdict)>,
    },
    Prove {
        proof: String,
    },
    Active {
        nodes: Vec<u32>,
    },
    Stuck {
        note: String,
    },
    Commands,
}

/// What people ask for, as the inbox of a search has it.
#[derive(Deserialize)]
struct Asked {
    command: String,
    node: u32,
    turn: String,
}

struct Running {
    lease: Lease,
    root: Position,
    tree: Search,
}

fn main() -> Outcome<()> {
    let path = std::env::args()
        .nth(1)
        .ok_or("expected the file of a book")?;
    let book = Book::open(path)?;
    let mut running = None;
    for line in std::io::stdin().lock().lines() {
        let answer = match serde_json::from_str(&line?)? {
            Line::Create { title, rules, root } => {
                let search = create(&book, title, rules, root)?;
                let number = search.lease.search().0;
                running = Some(search);
                json!(number)
            }
            line => json!(
                running
                    .as_mut()
                    .ok_or("first create a search")?
                    .hear(&book, line)?
            ),
        };
        writeln!(std::io::stdout(), "{answer}")?;
    }
    Ok(())
}

fn create(book: &Book, title: String, rules: String, root: String) -> Outcome<Running> {
    let start = tengen_book::start(&rules, &root)?;
    let config = serde_json::to_string(&Config::default())?;
    let search = book.create_search(&NewSearch {
        title,
        rules,
        root,
        config,
    })?;
    Ok(Running {
        lease: book.take_lease(search)?,
        tree: Search::new(start.to_move(), position_key(&start).0, Config::default()),
        root: start,
    })
}

impl Running {
    fn hear(&mut self, book: &Book, line: Line) -> Outcome<u64> {
        match line {
            Line::Create { .. } => Err("there is a search already".into()),
            Line::Answer { node, turns } => {
                let event = self.answer(NodeId(node), &turns)?;
                self.append(book, event, &[])
            }
            Line::Prove { proof } => {
                let proof = CheckedProof::check(proof)?;
                let evidence = Evidence::Proof(ProofId(proof.id().0));
                let winner = proof.attacker();
                let decided = Some(Decision { winner, evidence });
                let expansion = Expansion {
                    decided,
                    ..Expansion::default()
                };
                self.append(book, answer(NodeId::ROOT, expansion), &[proof])
            }
            Line::Active { nodes } => {
                let snapshot = json!({ "active": nodes }).to_string();
                book.set_snapshot(self.lease.search(), &snapshot)?;
                Ok(0)
            }
            Line::Stuck { note } => {
                let events = self.tree.totals().events;
                let snapshot = json!({ "state": "stuck", "events": events, "notes": [note] });
                book.set_snapshot(self.lease.search(), &snapshot.to_string())?;
                Ok(0)
            }
            Line::Commands => {
                let commands = book.take_commands(self.lease.search())?;
                for command in &commands {
                    let event = self.asked(serde_json::from_str(&command.text)?)?;
                    self.append(book, event, &[])?;
                }
                Ok(commands.len() as u64)
            }
        }
    }

    fn asked(&self, asked: Asked) -> Outcome<Event> {
        let turn: Turn = asked.turn.parse()?;
        let node = NodeId(asked.node);
        let mut after = self.position(node)?;
        after.play(&turn)?;
        let key = position_key(&after).0;
        match asked.command.as_str() {
            "exclude" => Ok(Event::Exclude { node, turn, key }),
            "allow" => Ok(Event::Allow { node, turn }),
            "suggest" => Ok(Event::Suggest { node, turn, key }),
            other => Err(format!("{other} is no command").into()),
        }
    }

    fn position(&self, node: NodeId) -> Outcome<Position> {
        let mut position = self.root.clone();
        for turn in self.tree.line(node) {
            position.play(&turn)?;
        }
        Ok(position)
    }

    fn answer(&self, node: NodeId, turns: &[(String, Verdict)]) -> Outcome<Event> {
        let position = self.position(node)?;
        let mut expansion = Expansion::default();
        for (text, verdict) in turns {
            let turn: Turn = text.parse()?;
            let mut after = position.clone();
            after.play(&turn)?;
            expansion.turns.push(Found {
                turn,
                key: position_key(&after).0,
                verdict: *verdict,
                after: None,
            });
        }
        Ok(answer(node, expansion))
    }

    fn append(&mut self, book: &Book, event: Event, proofs: &[CheckedProof]) -> Outcome<u64> {
        let text = serde_json::to_string(&event)?;
        let number = book.append(&self.lease, &[text], proofs)?;
        self.tree.apply(event);
        Ok(number)
    }
}

fn answer(node: NodeId, expansion: Expansion) -> Event {
    Event::Answer {
        node,
        expansion,
        seconds: 3.0,
        nodes: 12_000,
    }
}
