//! `tengen completions` and `tengen man`: both are made from the definition of the command line.

use std::fs;
use std::io::Write as _;

use anyhow::{Context as _, anyhow};
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::error::io_words;
use crate::output::{Output, write_file};

pub(crate) fn completions(args: &CompletionsArgs, out: &mut Output) -> anyhow::Result<()> {
    // clap_complete panics when it cannot write, for example into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tengen", &mut script);
    Ok(out.write_all(&script)?)
}

pub(crate) fn man(args: &ManArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = &args.folder else {
        return Ok(Man::new(command).render(out)?);
    };
    fs::create_dir_all(folder)
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let mut pages: Vec<Command> = command.get_subcommands().cloned().collect();
    pages.push(command);
    for page in pages {
        let man = Man::new(page.disable_help_flag(true));
        let path = folder.join(man.get_filename());
        let mut text = Vec::new();
        man.render(&mut text)?;
        write_file(&path, &text)?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
