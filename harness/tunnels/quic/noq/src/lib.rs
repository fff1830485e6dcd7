//! One end of a tunnel: UDP packets travel inside QUIC (RFC 9000), in a DATAGRAM frame each (RFC 9221) or in a unidirectional stream each.
//! QUIC is noq's; certificates, congestion controls and reports are those of coexist-quic.

pub mod caps;
pub mod carriage;
pub mod counters;
pub mod end;
pub mod flows;
pub mod frame;
pub mod options;
pub mod qlog;
pub mod report;
