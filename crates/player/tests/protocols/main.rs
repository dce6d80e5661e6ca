//! Protocols without an engine worth the name: what is asked, what is said, and that nothing is lost.

mod connect6;
mod driver;
mod gomocup;
mod random;
mod support;
