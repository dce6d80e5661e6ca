//! The command that lends an engine to other programs.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tengen_player::EngineKind;
use tengen_player::protocol::ProtocolKind;

use super::proving::{Time, memory, nodes, seconds};

/// Play for another program, on stdin and stdout
///
/// For managers, competition platforms and boards that start engines. The limits given here hold whatever the
/// other side allows; without any limit a turn takes 5 seconds. docs/protocols.md describes each protocol,
/// with a transcript.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Protocols:
  gomocup   Go-Moku on boards up to 63x63, one stone a turn; with the analysis commands of Yixin
  sau       Connect6, of the Chinese competitions
  cloudict  Connect6, of Cloudict and its descendants
  simple    Connect6, `go JJJKKJ` -> `move XXYY`, nothing to remember

Examples:
  tengen engine --protocol gomocup
  tengen engine --protocol sau --seconds 10 --memory 1024
  echo 'go JJJKKJ' | tengen engine --protocol simple --nodes 10000")]
pub(crate) struct EngineArgs {
    /// The language of the other side
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol_parser())]
    pub(crate) protocol: ProtocolKind,

    /// Which engine plays
    #[arg(long, value_name = "ENGINE", default_value = "alphabeta")]
    pub(crate) engine: EngineKind,

    /// The most time for a turn, `inf` for no limit [default: 5 without --nodes and without a limit of the
    /// other side]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) seconds: Option<Time>,

    /// The most nodes for a turn
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub(crate) nodes: Option<u64>,

    /// The most memory for tables, in MiB; the other side may ask for less
    #[arg(long, value_name = "MIB", default_value = "256", value_parser = memory)]
    pub(crate) memory: usize,
}

fn protocol_parser() -> impl TypedValueParser<Value = ProtocolKind> {
    PossibleValuesParser::new(ProtocolKind::ALL.map(ProtocolKind::name))
        .map(|name| name.parse().expect("every protocol's name is read"))
}
