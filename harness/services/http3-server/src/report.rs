//! What the connections are, for whoever started us: one JSON line, once a second.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quinn::Connection;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use crate::control::Control;

const EVERY: Duration = Duration::from_secs(1);

/// Those that are open, by the port that they came to.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<Vec<(u16, Connection)>>>);

impl Connections {
    pub fn add(&self, port: u16, connection: Connection) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((port, connection));
    }

    /// Counters grow from a connection's start; `sentBytes` is what its UDP datagrams held. Closed connections are forgotten.
    pub fn line(&self) -> String {
        let mut connections = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connections.retain(|(_, connection)| connection.close_reason().is_none());
        let told: Vec<String> = connections.iter().map(|(port, connection)| told(*port, connection)).collect();
        format!("{{\"connections\":[{}]}}\n", told.join(","))
    }

    /// Tells until nobody listens.
    pub async fn tell(&self, mut output: impl AsyncWrite + Unpin) -> std::io::Result<()> {
        let mut pace = tokio::time::interval(EVERY);
        loop {
            pace.tick().await;
            output.write_all(self.line().as_bytes()).await?;
            output.flush().await?;
        }
    }
}

fn told(port: u16, connection: &Connection) -> String {
    let control = Control::of(connection.congestion_state()).map_or("unknown", Control::name);
    let stats = connection.stats();
    format!(
        "{{\"port\":{port},\"peerPort\":{},\"congestionControl\":\"{control}\",\"congestionWindowBytes\":{},\"rttMs\":{:.3},\"sentBytes\":{},\"sentPackets\":{},\"lostPackets\":{},\"lostBytes\":{},\"congestionEvents\":{}}}",
        connection.remote_address().port(),
        stats.path.cwnd,
        stats.path.rtt.as_secs_f64() * 1e3,
        stats.udp_tx.bytes,
        stats.path.sent_packets,
        stats.path.lost_packets,
        stats.path.lost_bytes,
        stats.path.congestion_events,
    )
}
