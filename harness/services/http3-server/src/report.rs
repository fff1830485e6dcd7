//! What the connections are, for whoever started us: one JSON line, once a second.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use coexist_quic::report::members;
use noq::{Connection, PathId};
use tokio::io::{AsyncWrite, AsyncWriteExt};

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
        let told: Vec<String> = connections.iter().filter_map(|(port, connection)| told(*port, connection)).collect();
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

/// None where the connection has just lost its path.
fn told(port: u16, connection: &Connection) -> Option<String> {
    let peer_port = connection.path(PathId::ZERO)?.remote_address().ok()?.port();
    Some(format!("{{\"port\":{port},\"peerPort\":{peer_port},{}}}", members(connection)?))
}
