//! What Coexist's QUIC programs share: the HTTP/3 server (harness/services/http3-server) and the tunnel (harness/tunnels/quic/noq).
//! QUIC (RFC 9000) and three of its congestion controls are noq's; Copa, C4, "none" and the pacing of
//! BBRv3's Startup are ours.

pub mod c4;
pub mod control;
pub mod copa;
mod forwarded;
pub mod identity;
pub mod paced;
pub mod report;
pub mod tls;
pub mod transport;
pub mod unlimited;
pub mod version;
pub mod watched;
pub mod words;
