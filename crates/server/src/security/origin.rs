//! Requests that pages of other sites make a browser send.

use std::net::IpAddr;

use axum::extract::Request;
use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN, UPGRADE};
use axum::http::{Method, Uri};

use crate::error::Failure;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Refuses what another site may have caused. Programs that are no browsers send none of these headers, and pass.
///
/// Without a token the name asked for must be this machine: else a site could give its own name our address (DNS
/// rebinding) and read everything. Who knows the token may come by any name, through a proxy for example.
pub(super) fn check(request: &Request, has_token: bool) -> Result<(), Failure> {
    let headers = request.headers();
    let host = text(headers, &HOST)?;
    if let Some(host) = host.filter(|host| !has_token && !is_here(host)) {
        return Err(Failure::Refused(format!(
            "this server answers at localhost only, not at {host}: open it as http://localhost or with its address"
        )));
    }
    let own = |origin: &str| {
        let uri: Option<Uri> = origin.parse().ok();
        let authority = uri.as_ref().and_then(Uri::authority);
        host.is_some() && authority.map(|authority| authority.as_str()) == host
    };
    let site = text(headers, &FETCH_SITE)?;
    let origin = text(headers, &ORIGIN)?;
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let foreign = if reads && !headers.contains_key(UPGRADE) {
        // Following a link to here is fine; a page elsewhere that fetches our data is not.
        let navigates = text(headers, &FETCH_MODE)? == Some("navigate");
        site == Some("cross-site") && !navigates && request.uri().path().starts_with("/api/")
    } else {
        match origin {
            Some(origin) => !own(origin),
            None => site.is_some_and(|site| !["same-origin", "none"].contains(&site)),
        }
    };
    if foreign {
        return Err(Failure::Refused(
            "a page of another site asked for this: only Tengen's own page may".into(),
        ));
    }
    Ok(())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let unreadable = |_| Failure::BadRequest(format!("the header {name} is no plain text"));
    let value = headers.get(name);
    value
        .map(|value| value.to_str().map_err(unreadable))
        .transpose()
}

/// Whether a host, with or without port, is this machine's own name or address.
fn is_here(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let loopback = address
        .parse::<IpAddr>()
        .is_ok_and(|address| address.is_loopback());
    loopback || name.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_name_and_address() {
        for host in [
            "localhost",
            "LOCALHOST:6160",
            "127.0.0.1:80",
            "127.0.0.1",
            "[::1]:6160",
            "[::1]",
        ] {
            assert!(is_here(host), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "10.0.0.1",
            "127.0.0.1.example.org:80",
            "",
        ] {
            assert!(!is_here(host), "{host}");
        }
    }
}
