//! Connections, from the listener to the router. A client has to say what it wants in good time: one
//! that is slower is let go, so that nobody holds the house's descriptors by saying nothing.

use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::serve::{Listener as _, ListenerExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};

/// Serves everyone who connects until the house closes and all requests are answered. Whoever has not
/// sent the head of a request in time, be it the first or the next on the same connection, is let go.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
    mut stopping: watch::Receiver<bool>,
) {
    // An answer must not wait until the client has acknowledged what was sent before it.
    let mut listener = listener.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "a connection stays slow");
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let router = TowerToHyperService::new(router);
    let everyone = stopping.clone();
    // Every connection holds one end: the other hears when the last is gone.
    let (open, mut gone) = mpsc::channel::<()>(1);
    loop {
        let (connection, address) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = told(&mut stopping) => break,
        };
        let (http, router, stopping) = (http.clone(), router.clone(), everyone.clone());
        let open = open.clone();
        tokio::spawn(async move {
            attend(&http, connection, address, router, stopping).await;
            drop(open);
        });
    }
    drop((listener, open));
    let _ = gone.recv().await;
}

/// One connection, until it ends or has become a socket. When the house closes, the request in
/// progress is the last.
async fn attend(
    http: &http1::Builder,
    connection: TcpStream,
    address: SocketAddr,
    router: TowerToHyperService<Router>,
    mut stopping: watch::Receiver<bool>,
) {
    let answer = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        router.call(request)
    });
    let serving = http.serve_connection(TokioIo::new(connection), answer).with_upgrades();
    let mut serving = pin!(serving);
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = told(&mut stopping) => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, %address, "a connection broke off");
    }
}

/// Waits until the house closes. Whoever drops the sender closes it too.
async fn told(stopping: &mut watch::Receiver<bool>) {
    let _ = stopping.wait_for(|stopping| *stopping).await;
}
