//! The token: what a stranger must know.

use axum::Json;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, COOKIE, LOCATION, SET_COOKIE, WWW_AUTHENTICATE};
use axum::response::{Html, IntoResponse as _, Response};

use crate::api::ApiError;

/// The cookie holds the token in hexadecimal digits: no sign in it means anything to a browser.
const NAME: &str = "tengen-token";

const LOGIN: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Tengen</title>
<h1>Tengen</h1>
<form action=\"/\">
<label>Token, as given to <code>tengen serve --token</code>:
<input name=\"token\" type=\"password\" autocomplete=\"current-password\" required autofocus></label>
<button>Enter</button>
</form>
</html>
";

/// What is answered to who has not shown the token; nothing to who has.
pub(super) fn demand(request: &Request, wanted: &str) -> Option<Response> {
    let path = request.uri().path();
    if path == "/"
        && let Some(shown) = shown_in_query(request)
    {
        return Some(if is_same(&shown, wanted.as_bytes()) {
            let cookie = format!(
                "{NAME}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000",
                hexadecimal(wanted.as_bytes())
            );
            let head = [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)];
            (StatusCode::SEE_OTHER, head).into_response()
        } else {
            (StatusCode::UNAUTHORIZED, Html(LOGIN)).into_response()
        });
    }
    if shown_in_header(request, wanted) || shown_in_cookie(request, wanted) {
        return None;
    }
    if path.starts_with("/api/") {
        let error = ApiError {
            code: "refused".into(),
            message: "this server wants its token: send it as `Authorization: Bearer TOKEN`, or open /?token=TOKEN"
                .into(),
        };
        let head = [(WWW_AUTHENTICATE, "Bearer")];
        return Some((StatusCode::UNAUTHORIZED, head, Json(error)).into_response());
    }
    Some((StatusCode::UNAUTHORIZED, Html(LOGIN)).into_response())
}

fn shown_in_header(request: &Request, wanted: &str) -> bool {
    let value = request.headers().get(AUTHORIZATION);
    let shown = value.and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    shown.is_some_and(|shown| is_same(shown.trim_ascii(), wanted.as_bytes()))
}

fn shown_in_cookie(request: &Request, wanted: &str) -> bool {
    let wanted = hexadecimal(wanted.as_bytes());
    let headers = request.headers().get_all(COOKIE).into_iter();
    let mut cookies = headers
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='));
    cookies.any(|(name, shown)| name == NAME && is_same(shown.as_bytes(), wanted.as_bytes()))
}

fn shown_in_query(request: &Request) -> Option<Vec<u8>> {
    let query = request.uri().query()?;
    let fields = query.split('&').filter_map(|field| field.split_once('='));
    let mut tokens = fields.filter(|(name, _)| *name == "token");
    tokens.next().map(|(_, value)| decoded(value))
}

/// Of a query: `%2B` and `+` as forms write them. What is written wrongly stays, and is no token.
fn decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        at += if byte.is_some() { 3 } else { 1 };
        let plain = bytes.get(at - 1).copied().unwrap_or_default();
        found.push(byte.unwrap_or(if plain == b'+' { b' ' } else { plain }));
    }
    found
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Takes the same time wherever the first difference is.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let different = a.iter().zip(b).fold(0, |seen, (a, b)| seen | (a ^ b));
    a.len() == b.len() && std::hint::black_box(different) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        assert_eq!(decoded("a%2Bb+c"), b"a+b c");
        assert_eq!(decoded("%"), b"%");
        assert_eq!(decoded("%4"), b"%4");
        assert_eq!(decoded("%zz%41"), b"%zzA");
        assert_eq!(decoded("é%C3%A9"), "éé".as_bytes());
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same(b"secret", b"secret"));
        assert!(!is_same(b"secret", b"secreT"));
        assert!(!is_same(b"secre", b"secret"));
        assert!(!is_same(b"", b"secret"));
    }
}
