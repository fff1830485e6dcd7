//! The state of a connection, reported to whoever started the program.

use noq::{Connection, PathId};

use crate::control::Control;

/// Members of a JSON object, without its braces. Counters grow from the connection's start; `sentBytes` is what its UDP datagrams held.
/// None where the connection has just lost its path: it never has another, for nobody asks for more.
pub fn members(connection: &Connection) -> Option<String> {
    let control = connection.congestion_state(PathId::ZERO).and_then(Control::of).map_or("unknown", Control::name);
    let stats = connection.path_stats(PathId::ZERO)?;
    Some(format!(
        "\"congestionControl\":\"{control}\",\"congestionWindowBytes\":{},\"rttMs\":{:.3},\"sentBytes\":{},\
         \"sentPackets\":{},\"lostPackets\":{},\"lostBytes\":{},\"congestionEvents\":{}",
        stats.cwnd,
        stats.rtt.as_secs_f64() * 1e3,
        stats.udp_tx.bytes,
        stats.sent_packets,
        stats.lost_packets,
        stats.lost_bytes,
        stats.congestion_events,
    ))
}
