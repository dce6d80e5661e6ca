//! Who may ask, how much, and what browsers are told.
//!
//! Pages of other sites can make a browser send requests to this server. `origin.rs` refuses those; `token.rs` asks
//! strangers for the token; `rate.rs` slows down who asks too often; `rejections.rs` makes every refusal a message.

mod origin;
mod rate;
mod rejections;
mod token;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Instant;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use tower_http::compression::CompressionLayer;

use crate::app::Shared;
use crate::error::Failure;

pub(crate) use rate::Rates;

/// Puts everything around the paths. The first layer here is the last to see a request.
pub(crate) fn around(router: Router, app: &Shared) -> Router {
    router
        .layer(middleware::from_fn(rejections::explain))
        .layer(middleware::from_fn_with_state(app.clone(), admit))
        .layer(middleware::from_fn(headers))
        .layer(CompressionLayer::new())
}

/// Lets a request in, or says why not.
async fn admit(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let client = client.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
    if !app.rates.allow(client, Instant::now()) {
        let reason = "too many requests in a short time: wait a second";
        return Failure::TooMany(reason.into()).into_response();
    }
    let wanted = app.config.token.as_deref();
    if let Err(failure) = origin::check(&request, wanted.is_some()) {
        return failure.into_response();
    }
    if let Some(answer) = wanted.and_then(|wanted| token::demand(&request, wanted)) {
        return answer;
    }
    next.run(request).await
}

/// What browsers are told about every answer.
async fn headers(request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let policy = policy(host);
    let in_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    let fixed = |text| HeaderValue::from_static(text);
    if in_api {
        headers.entry(CACHE_CONTROL).or_insert(fixed("no-store"));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(REFERRER_POLICY, fixed("same-origin"));
    let resource_policy = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(resource_policy, fixed("same-origin"));
    let opener_policy = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener_policy, fixed("same-origin"));
    response
}

/// Nothing from elsewhere, no script but our files. Some browsers do not count WebSockets among `'self'`.
fn policy(host: Option<&str>) -> HeaderValue {
    let harmless = |c: char| c.is_ascii_alphanumeric() || ".:-[]".contains(c);
    let sockets = match host {
        Some(host) if host.chars().all(harmless) => format!(" ws://{host} wss://{host}"),
        _ => String::new(),
    };
    let text = format!(
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         connect-src 'self'{sockets}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; \
         object-src 'none'"
    );
    HeaderValue::try_from(text).expect("harmless characters only")
}
