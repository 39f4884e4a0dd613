//! The command `houseway`.
//!
//! Exit codes: 0 done; 1 the rules said no, or a check failed; 2 the input or the environment is
//! wrong.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

mod args;
mod ask;
mod batch;
mod commands;
mod paint;
mod plot;
mod rulebooks;

use args::{Args, Command};

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command ended that could be carried out.
enum Outcome {
    Done,
    /// Some of the input was wrong; the rest was answered.
    PartlyWrong,
    /// The rules said no, or a check failed.
    CheckFailed,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(args) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::PartlyWrong) => ExitCode::from(2),
        Ok(Outcome::CheckFailed) => ExitCode::from(1),
        // Whoever reads us may stop reading; that is no fault.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let mut message = format!("{error:#}");
            if !message.ends_with(['.', '?', '!']) {
                message.push('.');
            }
            let _ = writeln!(io::stderr(), "houseway: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> anyhow::Result<Outcome> {
    let command = args.command.unwrap_or_else(Command::serve);
    // What other programs read has no colour that would have to be taken out.
    let mut out: Box<dyn Write> = match command.is_for_programs() {
        true => Box::new(io::stdout().lock()),
        false => Box::new(anstream::AutoStream::auto(io::stdout().lock())),
    };
    match command {
        Command::Serve(serve) => commands::serve::run(&serve, &mut *out),
        Command::Play(play) => commands::play::run(&play),
        Command::Train(train) => commands::train::run(&train, &mut *out),
        Command::Set(set) => commands::set::run(&set, &mut *out),
        Command::Rank(rank) => commands::rank::run(&rank, &mut *out),
        Command::Advise(advise) => commands::advise::run(&advise, &mut *out),
        Command::Odds(odds) => commands::odds::run(&odds, &mut *out),
        Command::Settle(settle) => commands::settle::run(&settle, &mut *out),
        Command::Simulate(simulate) => commands::simulate::run(&simulate, &mut *out),
        Command::Report(report) => commands::report::run(&report, &mut *out),
        Command::Rules(rules) => commands::rules::run(&rules, &mut *out),
        Command::Verify(verify) => commands::verify::run(&verify, &mut *out),
        Command::Admin(admin) => commands::admin::run(&admin, &mut *out),
        Command::Completions { shell } => commands::shell::completions(shell, &mut *out),
        Command::Man { folder } => commands::shell::man(folder.as_deref(), &mut *out),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
