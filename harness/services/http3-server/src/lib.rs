//! HTTP/3 (RFC 9114) in front of a server that speaks HTTP/1.1: terminates QUIC (RFC 9000) on UDP ports of one address, and hands
//! each request to the same port of another address over TCP. QUIC and its congestion controls are noq's, HTTP/3 is h3's.

pub mod endpoint;
pub mod forward;
pub mod options;
pub mod quic;
pub mod report;
pub mod streams;
