//! `houseway serve`: the house, open.

use std::fs;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::pin;

use anyhow::{Context, anyhow, bail};
use houseway_server::config::Config;
use houseway_server::serve::Serving;
use tracing_subscriber::EnvFilter;

use crate::Outcome;
use crate::args::{LogForm, Serve};

pub(crate) fn run(args: &Serve, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let config = config(args)?;
    logs(args)?;
    let data = config.data.clone();
    let kept = match &config.database {
        Some(_) => "PostgreSQL".to_string(),
        None => format!("the folder {}", data.display()),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut closing = pin!(told_to_close());
        // A database that is not there yet is waited for, until someone has enough of it.
        let serving = tokio::select! {
            serving = Serving::open(config) => serving?,
            () = closing.as_mut() => return anyhow::Ok(()),
        };
        let address = shown(serving.address);
        say(out, &format!("Houseway is open at http://{address}"));
        say(out, &format!("Everything is kept in {kept}. Ctrl-C closes the house."));
        closing.await;
        say(out, "Closing …");
        serving.close().await;
        anyhow::Ok(())
    })?;
    Ok(Outcome::Done)
}

/// Tells whoever looks. That nobody does any more is no reason to close the house.
fn say(out: &mut dyn Write, what: &str) {
    let _ = writeln!(out, "{what}").and_then(|()| out.flush());
}

/// An address that a browser can open.
fn shown(address: SocketAddr) -> SocketAddr {
    match address.ip().is_unspecified() {
        true => SocketAddr::new([127, 0, 0, 1].into(), address.port()),
        false => address,
    }
}

/// Waits for whoever closes the house.
async fn told_to_close() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut asked) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = asked.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Logs go to standard error: text for people, JSON for collectors.
fn logs(args: &Serve) -> anyhow::Result<()> {
    const WANTED: &str = "HOUSEWAY_LOG";
    let filter = match std::env::var(WANTED) {
        // What the error says it would say twice, as its own cause.
        Ok(wanted) => EnvFilter::try_new(&wanted).map_err(|error| {
            anyhow!("{WANTED}: `{wanted}` is no filter, as info or houseway=debug is: {error}")
        })?,
        Err(_) => EnvFilter::new("warn,houseway=info"),
    };
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second house in one process keeps the first one's logs.
    let _ = match args.log {
        LogForm::Json => builder.json().try_init(),
        LogForm::Text => builder.with_ansi(std::io::stderr().is_terminal()).try_init(),
    };
    // A fault of ours is a line like any other: whoever collects the log reads it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let why = panic.payload_as_str().unwrap_or("no reason is given");
        tracing::error!(place, why, "a task has ended by a fault");
    }));
    Ok(())
}

/// The configuration: a file, over it what flags or the environment say.
pub(crate) fn config(args: &Serve) -> anyhow::Result<Config> {
    let Serve {
        config,
        listen,
        data,
        database,
        keys,
        public_url,
        origin,
        rulebook,
        behind_proxy,
        open_ended,
        messages_per_second,
        requests_per_second,
        sockets,
        head_milliseconds,
        hashes,
        log: _,
    } = args;
    let mut config = read(config.as_deref())?;
    if let Some(listen) = listen {
        config.listen = *listen;
    }
    if let Some(data) = data {
        config.data.clone_from(data);
    }
    for (field, value) in [(&mut config.database, database), (&mut config.public_url, public_url)] {
        if value.is_some() {
            field.clone_from(value);
        }
    }
    for (field, value) in [(&mut config.keys, keys), (&mut config.hashes, hashes)] {
        if value.is_some() {
            field.clone_from(value);
        }
    }
    config.behind_proxy = behind_proxy.unwrap_or(config.behind_proxy);
    config.open_ended = open_ended.unwrap_or(config.open_ended);
    let rates = [
        (&mut config.messages_per_second, messages_per_second),
        (&mut config.requests_per_second, requests_per_second),
    ];
    for (field, value) in rates {
        *field = value.unwrap_or(*field);
    }
    config.sockets = sockets.unwrap_or(config.sockets);
    config.head_milliseconds = head_milliseconds.unwrap_or(config.head_milliseconds);
    config.origins.extend(origin.iter().cloned());
    config.rulebooks.extend(rulebook.iter().cloned());
    check(&config)?;
    Ok(config)
}

/// What cannot be meant is found out before the house opens.
fn check(config: &Config) -> anyhow::Result<()> {
    let is_address = |url: &str| {
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        host.is_some_and(|host| !host.is_empty())
    };
    if let Some(url) = config.public_url.as_ref().filter(|url| !is_address(url)) {
        bail!("public-url: `{url}` is no address; write `https://play.example`");
    }
    for origin in &config.origins {
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        if !is_address(origin) || host.contains('/') {
            bail!(
                "origins: `{origin}` is no origin; write `https://other.example`, without a path"
            );
        }
    }
    let at_least_one = [
        ("messages-per-second", u64::from(config.messages_per_second)),
        ("requests-per-second", u64::from(config.requests_per_second)),
        ("sockets", config.sockets as u64),
        ("head-milliseconds", config.head_milliseconds),
    ];
    if let Some((name, _)) = at_least_one.into_iter().find(|(_, value)| *value == 0) {
        bail!("{name}: 0 lets nobody in; write 1 or more");
    }
    Ok(())
}

/// What a configuration file says, if there is one.
pub(crate) fn read(path: Option<&Path>) -> anyhow::Result<Config> {
    let Some(path) = path else { return Ok(Config::default()) };
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let mut config: Config = toml::from_str(&text).with_context(|| name.to_string())?;
    let said: toml::Table = toml::from_str(&text).with_context(|| name.to_string())?;
    // Paths in a file are meant from where the file is.
    let beside = |it: &mut PathBuf| {
        if let Some(folder) = path.parent() {
            *it = folder.join(&*it);
        }
    };
    if said.contains_key("data") {
        beside(&mut config.data);
    }
    config.keys.iter_mut().for_each(beside);
    config.rulebooks.iter_mut().for_each(beside);
    config.hashes.iter_mut().for_each(beside);
    config.file = Some(path.to_path_buf());
    Ok(config)
}
