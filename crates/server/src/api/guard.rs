//! The door of every route: where a request comes from, who makes it, and whether they may.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::{Access, ApiError};
use crate::app::App;
use crate::people::{Standing, Who};

/// Who makes a request.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) who: Option<Who>,
    pub(crate) token: Option<String>,
    pub(crate) address: IpAddr,
}

impl Caller {
    /// Whoever has come in. The guard lets nobody else by where someone is needed.
    pub(crate) fn someone(&self) -> Result<&Who, ApiError> {
        self.who.as_ref().ok_or_else(come_in)
    }
}

fn come_in() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "come-in", "come in first")
}

/// Lets a request by, or says why not.
pub(crate) async fn guard(
    State((app, access)): State<(Arc<App>, Access)>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    if access == Access::Probe {
        return Ok(next.run(request).await);
    }
    let address = address(&app, &request);
    if !app.may_ask(address) {
        let says = "too many requests: wait a second";
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-many", says));
    }
    let headers = request.headers();
    let (token, by_cookie) = token(&app, headers);
    // A browser sends cookies along for any page, and takes those that an answer brings; only our own
    // may change something, or come in, with them. Whoever shows a token themselves is no browser's page.
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let by_page = by_cookie || (token.is_none() && is_from_a_page(headers));
    if !reads && by_page && !is_own_page(&app, headers) {
        let says = "that page may not do this; the address of the house's own is named with --public-url, \
                    others' with --origin";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "other-origin", says));
    }
    let who = match &token {
        Some(token) => app.people.touch(token).await?,
        None => None,
    };
    allowed(access, who.as_ref())?;
    request.extensions_mut().insert(Caller { who, token, address });
    Ok(next.run(request).await)
}

/// Whether someone may ask something.
pub(crate) fn allowed(access: Access, who: Option<&Who>) -> Result<(), ApiError> {
    let needed = match access {
        Access::Anyone | Access::Probe => return Ok(()),
        Access::Someone => Standing::PLAYER,
        Access::Staff(role) => Standing::Table(role),
        Access::Operator => Standing::Operator,
    };
    match who {
        None => Err(come_in()),
        Some(who) if who.standing < needed => {
            let says = format!("that takes {}", needed.word());
            Err(ApiError::new(StatusCode::FORBIDDEN, "not-allowed", says))
        }
        Some(_) => Ok(()),
    }
}

/// Where a request comes from.
fn address(app: &App, request: &Request) -> IpAddr {
    let direct = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|it| it.0.ip());
    let direct = direct.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));
    if !app.config.behind_proxy {
        return direct;
    }
    // The last one was added by our own proxy; those before it anyone can write.
    let forwarded = request.headers().get("x-forwarded-for").and_then(|it| it.to_str().ok());
    let last = forwarded.and_then(|it| it.rsplit(',').next()).and_then(|it| it.trim().parse().ok());
    last.unwrap_or(direct)
}

/// The token that a request shows, and whether a browser sent it by itself.
pub(crate) fn token(app: &App, headers: &HeaderMap) -> (Option<String>, bool) {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(bearer) = text(header::AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer ")) {
        return (Some(bearer.trim().to_string()), false);
    }
    let name = app.config.cookie_name();
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
    let found = cookies.flat_map(|it| it.split(';')).find_map(|cookie| {
        let (key, value) = cookie.trim().split_once('=')?;
        (key == name).then(|| value.to_string())
    });
    let by_cookie = found.is_some();
    (found, by_cookie)
}

/// Whether a page in a browser made a request: browsers say so.
fn is_from_a_page(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site")
}

/// Whether a request was made by one of the house's own pages, or one it trusts.
pub(crate) fn is_own_page(app: &App, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text("origin") else {
        // Browsers that send no origin say whether the page is the same.
        return text("sec-fetch-site") == Some("same-origin");
    };
    if app.config.origins.iter().any(|it| it == origin) {
        return true;
    }
    if let Some(url) = &app.config.public_url {
        return origin == url.trim_end_matches('/');
    }
    let host = text("host").unwrap_or_default();
    // Only names of this machine: else any name that leads here would be one of ours. A house that
    // listens everywhere has every address of the machine, and addresses lead nowhere else.
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    };
    let listens = app.config.listen.ip();
    let literal = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(name);
    let ours = matches!(name, "localhost" | "127.0.0.1" | "[::1]")
        || literal.parse().is_ok_and(|it: IpAddr| listens.is_unspecified() || it == listens);
    ours && origin.strip_prefix("http://") == Some(host)
}
