//! `tengen engine`: an engine on stdin and stdout.

use std::io::{self, BufReader};

use tengen_player::protocol::{Settings, serve};
use tengen_player::{Clock, Limits, Options};

use crate::args::EngineArgs;
use crate::output::Output;

pub(crate) fn run(args: &EngineArgs, out: &mut Output) -> anyhow::Result<()> {
    let usual = Settings::default();
    let usual_time = if args.seconds.is_none() {
        usual.usual
    } else {
        None
    };
    let settings = Settings {
        name: format!("tengen-{}", args.engine),
        limits: Limits {
            clock: Clock {
                per_turn: args.seconds.and_then(|time| time.limit()),
                ..Clock::default()
            },
            nodes: args.nodes,
            depth: None,
        },
        usual: usual_time,
        memory: args.memory,
    };
    let kind = args.engine;
    let build = move |memory| {
        kind.build(&Options {
            memory,
            ..Options::default()
        })
    };
    let mut protocol = args.protocol.start(settings);
    let input = BufReader::new(io::stdin());
    Ok(serve(protocol.as_mut(), args.memory, build, input, out)?)
}
