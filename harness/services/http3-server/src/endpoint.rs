//! A UDP port that accepts QUIC connections and serves their clients. Nothing that a peer sends ends it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use coexist_quic::control::Control;
use coexist_quic::identity::Identity;
use coexist_quic::tls;
use coexist_quic::transport::transport;
use noq::{Endpoint, Incoming, ServerConfig};
use tokio::sync::Semaphore;

use crate::forward::forward;
use crate::quic;
use crate::report::Connections;

/// More at a time are refused: a browser needs one.
pub const MOST_CONNECTIONS: usize = 64;
/// Time for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// UDP payload that fills an IPv4 packet of 1480 bytes, or one of IPv6 of 1500: the most that noq would find by itself.
const DATAGRAM_BYTES: u16 = 1452;
/// Header fields of a request, bytes as RFC 9114 counts them (section 4.2.2).
const MOST_FIELD_BYTES: u64 = 16 << 10;

/// What all ports have in common. The error is a line for people.
pub fn server_config(identity: Identity, control: Control) -> Result<ServerConfig, String> {
    let mut config = ServerConfig::with_crypto(tls::server(identity, "h3")?);
    config.transport_config(Arc::new(transport(control, DATAGRAM_BYTES)));
    // the peer's port is the name of its flow
    config.migration(false);
    Ok(config)
}

/// Serves those who come to `endpoint` until it is closed.
pub async fn serve(endpoint: Endpoint, to: SocketAddr, connections: Connections) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while let Some(incoming) = endpoint.accept().await {
        let Ok(place) = room.clone().try_acquire_owned() else {
            incoming.refuse();
            continue;
        };
        let connections = connections.clone();
        tokio::spawn(async move {
            // a peer that does not speak QUIC and HTTP/3 is dropped; the others are not affected
            let _ = serve_connection(incoming, to, connections).await;
            drop(place);
        });
    }
}

async fn serve_connection(
    incoming: Incoming,
    to: SocketAddr,
    connections: Connections,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let connection = tokio::time::timeout(HANDSHAKE, incoming).await??;
    connections.add(to.port(), connection.clone());
    let mut http = h3::server::builder()
        .max_field_section_size(MOST_FIELD_BYTES)
        .build::<_, Bytes>(quic::Connection::new(connection))
        .await?;
    while let Some(request) = http.accept().await? {
        tokio::spawn(async move {
            if let Ok((request, stream)) = request.resolve_request().await {
                forward(request, stream, to).await;
            }
        });
    }
    Ok(())
}
