//! The web table: its files are built into the program and served as they are.
//!
//! They are no part of the API. Whatever has no route of its own is looked for here: a file by its
//! path, a page of the table by its first word, which is answered with the one document that draws
//! all of them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use crate::api::{nowhere, otherwise};
use crate::app::App;

/// Every file by its path in the folder `web`.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web.rs"));

/// The document that draws every page.
const INDEX: &str = "index.html";

/// The first words of the paths of pages, as `web/app/router.js` has them; the lobby has none.
const PAGES: [&str; 10] =
    ["table", "look-up", "odds", "trainer", "history", "round", "proof", "pit", "account", "rules"];

/// Adds the web table to what is served.
pub(crate) fn add(router: Router<Arc<App>>, app: &App) -> Router<Arc<App>> {
    let site = Arc::new(Site::new(app.config.web.clone()));
    router.fallback(async move |method: Method, uri: Uri, headers: HeaderMap| {
        let reads = matches!(method, Method::GET | Method::HEAD);
        match site.find(uri.path()) {
            Some(file) if reads => file.answer(&headers),
            Some(_) => otherwise().await.into_response(),
            None if reads && reads_pages(uri.path(), &headers) => site.nothing_there().await,
            None => nowhere().await.into_response(),
        }
    })
}

/// Whether someone in front of a browser asks, and not for a part of the API.
fn reads_pages(path: &str, headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).into_iter();
    let mut accepted = accepted.filter_map(|it| it.to_str().ok());
    !path.starts_with("/api/") && accepted.any(|it| it.contains("text/html"))
}

/// The files that are served.
struct Site {
    built_in: BTreeMap<&'static str, Arc<File>>,
    /// Where they are read anew for every request instead, for those who work on them.
    folder: Option<PathBuf>,
}

/// A file as it is answered.
struct File {
    bytes: Cow<'static, [u8]>,
    kind: &'static str,
    tag: HeaderValue,
    policy: Option<HeaderValue>,
}

impl Site {
    fn new(folder: Option<PathBuf>) -> Site {
        let file = |&(path, bytes)| (path, Arc::new(File::new(path, Cow::Borrowed(bytes))));
        Site { built_in: FILES.iter().map(file).collect(), folder }
    }

    fn find(&self, path: &str) -> Option<Arc<File>> {
        let path = path.strip_prefix('/')?;
        let first = path.split('/').next().unwrap_or_default();
        let name = if path.is_empty() || PAGES.contains(&first) { INDEX } else { path };
        let Some(folder) = &self.folder else { return self.built_in.get(name).cloned() };
        let plain = |part: &str| !part.is_empty() && !part.starts_with('.');
        let served = name.split('/').all(plain) && kind(name).is_some();
        let bytes = served.then(|| std::fs::read(folder.join(name)).ok()).flatten()?;
        Some(Arc::new(File::new(name, Cow::Owned(bytes))))
    }

    /// The document again, which finds no page of that address and says so.
    async fn nothing_there(&self) -> Response {
        match self.find("/") {
            Some(file) => (StatusCode::NOT_FOUND, file.answer(&HeaderMap::new())).into_response(),
            None => nowhere().await.into_response(),
        }
    }
}

impl File {
    fn new(path: &str, bytes: Cow<'static, [u8]>) -> File {
        let kind = kind(path).unwrap_or("text/plain; charset=utf-8");
        let digest = BASE64_STANDARD.encode(Sha256::digest(&bytes));
        // Weak, because it may be sent compressed.
        let tag = header_value(format!("W/\"{digest}\""));
        let policy = (path == INDEX).then(|| header_value(policy(&bytes)));
        File { bytes, kind, tag, policy }
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::ETAG, self.tag.clone());
        // Kept, but never used without asking: a new program has new files.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Some(policy) = &self.policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        if asked.get(header::IF_NONE_MATCH) == Some(&self.tag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (headers, self.bytes.clone()).into_response()
    }
}

fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).expect("plain letters")
}

/// What kind of file it is, by its name; nothing for one that is not served.
fn kind(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

/// What the document may do: use files of this house and talk to it, nothing else. Its one inline
/// script is the list of modules, which is known by its hash.
fn policy(index: &[u8]) -> String {
    let text = String::from_utf8_lossy(index);
    let inline = text.split_once("<script type=\"importmap\">");
    let inline = inline.and_then(|(_, rest)| rest.split_once("</script>"));
    let hash = BASE64_STANDARD.encode(Sha256::digest(inline.map_or("", |it| it.0)));
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{hash}'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_kinds_and_nothing_else_is_found() {
        let site = Site::new(None);
        for (path, _) in FILES {
            assert!(kind(path).is_some(), "{path}");
            assert!(site.find(&format!("/{path}")).is_some(), "{path}");
        }
        for nowhere in ["/package.json", "/app", "/app/", "/../Cargo.toml", "/nobody", "//", "x"] {
            assert!(site.find(nowhere).is_none(), "{nowhere}");
        }
    }

    #[test]
    fn a_folder_gives_nothing_but_files_of_the_table() {
        let web = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web");
        let site = Site::new(Some(web));
        assert!(site.find("/app/main.js").is_some());
        for nowhere in ["/../Cargo.toml", "/../web/index.html", "/package.json", "/.x.js", "//x.js"]
        {
            assert!(site.find(nowhere).is_none(), "{nowhere}");
        }
    }

    #[test]
    fn the_policy_knows_the_list_of_modules() {
        let index = b"<script type=\"importmap\">{}</script>";
        let hash = BASE64_STANDARD.encode(Sha256::digest("{}"));
        assert!(policy(index).contains(&format!("'sha256-{hash}'")));
        assert!(!policy(index).contains("unsafe"));
    }
}
