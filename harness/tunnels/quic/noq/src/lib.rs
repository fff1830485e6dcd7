//! One end of a tunnel that carries UDP packets inside QUIC (RFC 9000), each in a DATAGRAM frame (RFC 9221) or in a
//! unidirectional stream. noq implements QUIC; certificates, congestion controls and reports come from coexist-quic.

pub mod caps;
pub mod carriage;
pub mod counters;
pub mod end;
pub mod flows;
pub mod frame;
pub mod options;
pub mod qlog;
pub mod report;
