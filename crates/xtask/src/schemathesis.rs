//! Lets schemathesis loose on a running house: requests made up from the API's own description, good
//! and bad ones, and every answer held against it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::cargo;

/// Who asks.
const OPERATOR: &str = "alice";
const PASSWORD: &str = "correct horse battery staple";

/// A folder and a server that are gone when they are no longer needed.
struct Stage {
    folder: PathBuf,
    house: Option<Child>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(mut house) = self.house.take() {
            // It may have ended by itself.
            let _ = house.kill();
            let _ = house.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let examples = arguments.next().unwrap_or("100".into());
    cargo(&["build", "--package", "houseway-cli", "--locked"])?;
    let folder = std::env::temp_dir().join(format!("houseway-schemathesis-{}", std::process::id()));
    let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
    fs::create_dir_all(&folder).map_err(|error| failed("a folder", error))?;
    let mut stage = Stage { folder: folder.clone(), house: None };
    let venv = folder.join("venv");
    crate::run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    crate::run(Command::new(venv.join("bin/pip")).args([
        "install",
        "--quiet",
        "schemathesis==4.32.5",
    ]))?;

    // A house of its own, with limits that a flood does not reach.
    let config = folder.join("house.toml");
    let text = "listen = \"127.0.0.1:0\"\nrequests-per-second = 1000000\n";
    fs::write(&config, text).map_err(|error| failed("its configuration", error))?;
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/debug/houseway");
    let program = std::env::var("CARGO_TARGET_DIR")
        .map_or(PathBuf::from(program), |it| PathBuf::from(it).join("debug/houseway"));
    let mut house = Command::new(&program)
        .args(["serve", "--config"])
        .arg(&config)
        .arg("--data")
        .arg(folder.join("data"))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed("houseway", error))?;
    let said = house.stdout.take().ok_or("the house says nothing")?;
    stage.house = Some(house);
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line).map_err(|error| failed("the house", error))?;
    let url = line.rsplit(' ').next().unwrap_or_default().trim().to_string();
    if !url.starts_with("http") {
        return Err(format!("the house did not open: {line}"));
    }
    // Someone for whom no door is closed; and whoever shuts people out shuts out a guest.
    let data = folder.join("data");
    let made = Command::new(&program)
        .args(["admin", "operator", OPERATOR, "--data"])
        .arg(&data)
        .env("HOUSEWAY_PASSWORD", PASSWORD)
        .status()
        .map_err(|error| failed("an operator", error))?;
    if !made.success() {
        return Err(format!("nobody was made an operator: {made}"));
    }
    let token = come_in(&url).map_err(|error| failed("coming in", error))?;
    let checks = "not_a_server_error,status_code_conformance,content_type_conformance,\
                  response_schema_conformance";
    crate::run(
        Command::new(venv.join("bin/schemathesis"))
            .current_dir(&folder)
            .args(["run", &format!("{url}/api/openapi.json"), "--max-examples", &examples])
            .args(["--checks", checks, "--header", &format!("Authorization: Bearer {token}")])
            // Whoever goes is nobody for the rest of the run.
            .args(["--exclude-path", "/api/logout"])
            .args(["--exclude-path", "/api/people/{person}/end-sessions"]),
    )
}

/// Comes in as the operator, and gives back the token.
fn come_in(url: &str) -> std::io::Result<String> {
    let mut house = TcpStream::connect(url.trim_start_matches("http://"))?;
    let body = serde_json::json!({"name": OPERATOR, "password": PASSWORD}).to_string();
    let head = "POST /api/login HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length";
    write!(house, "{head}: {}\r\n\r\n{body}", body.len())?;
    let mut answer = String::new();
    house.read_to_string(&mut answer)?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let come: serde_json::Value = serde_json::from_str(body)?;
    Ok(come["token"].as_str().unwrap_or_default().to_string())
}
