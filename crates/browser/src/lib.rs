//! Drives Debian's headless Chromium from tests, over the `DevTools` protocol on two pipes: no port,
//! no driver program, and the browser ends when the test does.
//!
//! ```text
//!  Page ──► Browser ──► chromium-headless-shell      JSON texts, each ended by a NUL byte
//!   eval, wait, press, click, drag, touch, screenshot, tree, problems
//! ```

use std::collections::HashMap;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout};

/// The programs themselves. Those on the path are scripts that leave the browser behind when they
/// are killed.
const PROGRAMS: [&str; 2] =
    ["/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium"];

/// How long the browser may take to answer, and a page to become what a test waits for.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often a page is looked at while a test waits.
const LOOK: Duration = Duration::from_millis(20);

/// A browser with a fresh profile.
pub struct Browser {
    link: Arc<Link>,
    _process: Child,
    _profile: tempfile::TempDir,
}

/// A page of its own: no cookie or storage is shared with another.
pub struct Page {
    link: Arc<Link>,
    session: String,
}

type Pending = HashMap<u64, oneshot::Sender<Value>>;

/// The way to the browser.
struct Link {
    said: mpsc::UnboundedSender<Vec<u8>>,
    heard: Arc<Mutex<Heard>>,
}

#[derive(Default)]
struct Heard {
    last: u64,
    pending: Pending,
    events: Vec<Value>,
    gone: bool,
}

impl Browser {
    /// Starts a browser; the error names the package where it is absent.
    pub async fn launch() -> Result<Browser> {
        let program = PROGRAMS.into_iter().find(|path| Path::new(path).exists());
        let program =
            program.context("there is no browser: apt-get install chromium-headless-shell")?;
        let profile = tempfile::tempdir()?;
        // The browser reads file 3 and writes file 4.
        let turned = r#"exec 3<&0 4>&1 </dev/null >/dev/null 2>&1; exec "$@""#;
        let mut process = Command::new("/bin/sh")
            .args(["-c", turned, "sh", program])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--disable-dev-shm-usage"])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let stdin = process.stdin.take().context("it was piped")?;
        let stdout = process.stdout.take().context("it was piped")?;
        let (said, to_say) = mpsc::unbounded_channel();
        let heard = Arc::new(Mutex::new(Heard::default()));
        tokio::spawn(write(stdin, to_say));
        tokio::spawn(read(stdout, heard.clone()));
        let link = Arc::new(Link { said, heard });
        link.call(None, "Browser.getVersion", json!({})).await?;
        Ok(Browser { link, _process: process, _profile: profile })
    }

    /// Opens an address in a page of that size, in CSS pixels.
    pub async fn page(&self, url: &str, width: u32, height: u32) -> Result<Page> {
        let context = self.link.call(None, "Target.createBrowserContext", json!({})).await?;
        let target = json!({"url": "about:blank", "browserContextId": context["browserContextId"]});
        let target = self.link.call(None, "Target.createTarget", target).await?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.link.call(None, "Target.attachToTarget", attach).await?;
        let session = session["sessionId"].as_str().context("a session")?.to_string();
        let page = Page { link: self.link.clone(), session };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            page.call(domain, json!({})).await?;
        }
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        page.call("Emulation.setDeviceMetricsOverride", size).await?;
        page.open(url).await?;
        Ok(page)
    }
}

impl Page {
    /// Says anything of the `DevTools` protocol to this page.
    pub async fn call(&self, method: &str, parameters: Value) -> Result<Value> {
        self.link.call(Some(&self.session), method, parameters).await
    }

    /// Opens another address.
    pub async fn open(&self, url: &str) -> Result<()> {
        let opened = self.call("Page.navigate", json!({"url": url})).await?;
        match opened["errorText"].as_str() {
            Some(error) => bail!("{url}: {error}"),
            None => Ok(()),
        }
    }

    /// The value of a JavaScript expression; a promise is waited for.
    pub async fn eval(&self, script: &str) -> Result<Value> {
        let asked = json!({
            "expression": script,
            "awaitPromise": true,
            "returnByValue": true,
            "userGesture": true,
        });
        let answer = self.call("Runtime.evaluate", asked).await?;
        match answer.get("exceptionDetails") {
            Some(thrown) => bail!("{script}: {thrown}"),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true. While it throws it is not.
    pub async fn wait(&self, script: &str) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let last = match self.eval(script).await {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(other) => other.to_string(),
                Err(error) => error.to_string(),
            };
            if Instant::now() > until {
                bail!("never true: {script}; last: {last}; problems: {:?}", self.problems());
            }
            sleep(LOOK).await;
        }
    }

    /// The middle of the first element that a selector finds.
    pub async fn middle(&self, selector: &str) -> Result<(f64, f64)> {
        let selector = Value::from(selector);
        let script = format!(
            "(it => {{ it.scrollIntoView({{block: 'nearest'}}); const r = it.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({selector}))"
        );
        let at = self.eval(&script).await?;
        let number = |place: usize| at[place].as_f64().context("a number");
        Ok((number(0)?, number(1)?))
    }

    /// Clicks on the first element that a selector finds.
    pub async fn click(&self, selector: &str) -> Result<()> {
        let at = self.middle(selector).await?;
        self.drag(at, at).await
    }

    /// Presses the mouse at one place and lets go at another.
    pub async fn drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        const STEPS: u8 = 5;
        self.mouse("mouseMoved", from).await?;
        self.mouse("mousePressed", from).await?;
        if from != to {
            for step in 1..=STEPS {
                let part = f64::from(step) / f64::from(STEPS);
                let between = |a: f64, b: f64| a + (b - a) * part;
                self.mouse("mouseMoved", (between(from.0, to.0), between(from.1, to.1))).await?;
            }
        }
        self.mouse("mouseReleased", to).await
    }

    async fn mouse(&self, kind: &str, (x, y): (f64, f64)) -> Result<()> {
        let buttons = u8::from(kind != "mouseReleased");
        let mouse = json!({
            "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1,
        });
        self.call("Input.dispatchMouseEvent", mouse).await.map(drop)
    }

    /// Touches the first element that a selector finds.
    pub async fn touch(&self, selector: &str) -> Result<()> {
        let (x, y) = self.middle(selector).await?;
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            let touch = json!({"type": kind, "touchPoints": points});
            self.call("Input.dispatchTouchEvent", touch).await?;
        }
        Ok(())
    }

    /// Presses a key by its name, as `KeyboardEvent.key` has it: `Enter`, `Tab`, `ArrowLeft`, `a`.
    pub async fn press(&self, key: &str) -> Result<()> {
        let (code, number, text) = match key {
            "Enter" => ("Enter".into(), 13, "\r"),
            "Tab" => ("Tab".into(), 9, ""),
            "Escape" => ("Escape".into(), 27, ""),
            " " => ("Space".into(), 32, " "),
            "ArrowLeft" => ("ArrowLeft".into(), 37, ""),
            "ArrowUp" => ("ArrowUp".into(), 38, ""),
            "ArrowRight" => ("ArrowRight".into(), 39, ""),
            "ArrowDown" => ("ArrowDown".into(), 40, ""),
            letter if letter.len() == 1 => {
                let upper = letter.to_ascii_uppercase();
                (format!("Key{upper}"), u32::from(upper.as_bytes()[0]), letter)
            }
            other => bail!("how is the key {other} pressed?"),
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for kind in [down, "keyUp"] {
            let text = if kind == "keyUp" { "" } else { text };
            let event = json!({
                "type": kind, "key": key, "code": code, "text": text,
                "windowsVirtualKeyCode": number,
            });
            self.call("Input.dispatchKeyEvent", event).await?;
        }
        Ok(())
    }

    /// Types a text where the focus is.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        self.call("Input.insertText", json!({"text": text})).await.map(drop)
    }

    /// What the page looks like: a PNG in base 64.
    pub async fn screenshot(&self) -> Result<String> {
        let shot = self.call("Page.captureScreenshot", json!({"format": "png"})).await?;
        Ok(shot["data"].as_str().context("a picture")?.to_string())
    }

    /// What the page is to a screen reader: role and name of every node that is not ignored.
    pub async fn tree(&self) -> Result<Vec<(String, String)>> {
        let tree = self.call("Accessibility.getFullAXTree", json!({})).await?;
        let nodes = tree["nodes"].as_array().context("nodes")?;
        let shown = nodes.iter().filter(|node| node["ignored"] != true);
        let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_string();
        Ok(shown.map(|node| (text(&node["role"]), text(&node["name"]))).collect())
    }

    /// The texts that came over the page's sockets so far, once `Network.enable` was called.
    pub fn frames(&self) -> Vec<String> {
        let heard = self.link.heard.lock().expect("nobody panics with it");
        let own = heard.events.iter().filter(|event| {
            event["sessionId"] == *self.session
                && event["method"] == "Network.webSocketFrameReceived"
        });
        let text =
            |event: &Value| event["params"]["response"]["payloadData"].as_str().map(str::to_string);
        own.filter_map(text).collect()
    }

    /// The addresses of everything the page has asked for so far, with what came over the wire for
    /// each in bytes, once `Network.enable` was called.
    pub fn requests(&self) -> Vec<(String, f64)> {
        let heard = self.link.heard.lock().expect("nobody panics with it");
        let own = || heard.events.iter().filter(|event| event["sessionId"] == *self.session);
        let sent = own().filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.map(|event| {
            let id = &event["params"]["requestId"];
            let done = own().find(|it| {
                it["method"] == "Network.loadingFinished" && it["params"]["requestId"] == *id
            });
            let bytes = done.and_then(|it| it["params"]["encodedDataLength"].as_f64());
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            (url.to_string(), bytes.unwrap_or_default())
        })
        .collect()
    }

    /// Everything that went wrong in the page so far: exceptions, errors on the console or in the
    /// browser's own log.
    pub fn problems(&self) -> Vec<String> {
        let heard = self.link.heard.lock().expect("nobody panics with it");
        let own = heard.events.iter().filter(|event| event["sessionId"] == *self.session);
        let wrong = own.filter(|event| match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        });
        wrong.map(|event| event["params"].to_string()).collect()
    }
}

impl Link {
    async fn call(&self, session: Option<&str>, method: &str, parameters: Value) -> Result<Value> {
        let (answer, answered) = oneshot::channel();
        let id = {
            let mut heard = self.heard.lock().expect("nobody panics with it");
            if heard.gone {
                bail!("{method}: the browser ended");
            }
            heard.last += 1;
            let id = heard.last;
            heard.pending.insert(id, answer);
            id
        };
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.said.send(bytes).map_err(|_| anyhow!("{method}: the browser ended"))?;
        let answer = timeout(PATIENCE, answered).await;
        let answer = answer.map_err(|_| anyhow!("{method}: the browser does not answer"))?;
        let mut answer = answer.map_err(|_| anyhow!("{method}: the browser ended"))?;
        match answer.get("error") {
            Some(error) => bail!("{method}: {error}"),
            None => Ok(answer["result"].take()),
        }
    }
}

async fn write(mut stdin: ChildStdin, mut to_say: mpsc::UnboundedReceiver<Vec<u8>>) {
    while let Some(bytes) = to_say.recv().await {
        if stdin.write_all(&bytes).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

async fn read(stdout: ChildStdout, heard: Arc<Mutex<Heard>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut bytes = vec![];
        let read = reader.read_until(0, &mut bytes).await;
        let whole = read.is_ok() && bytes.pop() == Some(0);
        let mut heard = heard.lock().expect("nobody panics with it");
        if !whole {
            // Whoever waits is told by their sender's end.
            heard.gone = true;
            heard.pending.clear();
            return;
        }
        let Ok(message) = serde_json::from_slice::<Value>(&bytes) else { continue };
        match message["id"].as_u64().and_then(|id| heard.pending.remove(&id)) {
            Some(waiting) => drop(waiting.send(message)),
            None => heard.events.push(message),
        }
    }
}
