//! An end of a simulated connection: noq's endpoint with its one connection.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use coexist_quic::control::Control;
use coexist_quic::identity::Identity;
use coexist_quic::{tls, transport};
use noq::{ClientConfig, EndpointConfig, FourTuple, PathId, ServerConfig};
use noq_proto::{Connection, ConnectionHandle, DatagramEvent, Endpoint};
use rustls::pki_types::PrivateKeyDer;

/// UDP payload of the path, of an MTU of 1500 bytes.
const UDP_PAYLOAD_BYTES: u16 = 1472;
/// Payload of each packet of the application, bytes; it begins with the time of sending.
const PACKET_BYTES: usize = 1200;
const PROTOCOL: &str = "simulated";
const NAME: &str = "server.example";

pub struct End {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    client: Option<ClientConfig>,
    other: SocketAddr,
    /// Free bytes of the buffer for datagrams while nothing waits.
    empty_space: usize,
    /// What the endpoint itself has to say.
    answers: Vec<Vec<u8>>,
}

/// A server whose connection has the control, and its client.
pub fn pair(control: Control) -> (End, End) {
    let made = rcgen::generate_simple_self_signed([NAME.to_string()]).unwrap();
    let (certificate, key) = (made.cert.der().clone(), PrivateKeyDer::try_from(made.key_pair.serialize_der()).unwrap());
    let mut transport = transport::transport(control, UDP_PAYLOAD_BYTES);
    transport.datagram_send_buffer_size(1 << 24).datagram_receive_buffer_size(Some(1 << 24));
    transport.initial_rtt(Duration::from_millis(50));
    let transport = Arc::new(transport);
    let mut server =
        ServerConfig::with_crypto(tls::server(Identity { certificate: certificate.clone(), key }, PROTOCOL).unwrap());
    server.transport_config(transport.clone());
    let mut client = ClientConfig::new(tls::client(certificate, PROTOCOL).unwrap());
    client.transport_config(transport);
    let mut config = EndpointConfig::default();
    config.rng_seed(Some([1; 32]));
    let config = Arc::new(config);
    let end = |server: Option<ServerConfig>, client, other: u8| End {
        endpoint: Endpoint::new(config.clone(), server.map(Arc::new), false),
        connection: None,
        client,
        other: SocketAddr::new(Ipv4Addr::new(10, 0, 0, other).into(), 4433),
        empty_space: 0,
        answers: Vec::new(),
    };
    (end(Some(server), None, 2), end(None, Some(client), 1))
}

impl End {
    pub fn connect(&mut self, now: Instant) {
        let config = self.client.take().unwrap();
        self.connection = Some(self.endpoint.connect(now, config, self.other, NAME).unwrap());
    }

    /// Takes a UDP datagram of the other end.
    pub fn take(&mut self, now: Instant, bytes: &[u8]) {
        let mut buffer = Vec::new();
        match self.endpoint.handle(now, FourTuple::from_remote(self.other), None, bytes.into(), &mut buffer) {
            Some(DatagramEvent::NewConnection(incoming)) => {
                let (handle, mut connection) = self.endpoint.accept(incoming, now, &mut buffer, None).unwrap();
                self.empty_space = connection.datagrams().send_buffer_space();
                self.connection = Some((handle, connection));
            }
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::Response(transmit)) => self.answers.push(buffer[..transmit.size].to_vec()),
            None => {}
        }
    }

    /// When a timer of the connection is due.
    pub fn wakes_at(&self) -> Option<Instant> {
        self.connection.as_ref().and_then(|(_, connection)| connection.poll_timeout())
    }

    pub fn wake(&mut self, now: Instant) {
        if self.wakes_at().is_some_and(|due| due <= now)
            && let Some((_, connection)) = &mut self.connection
        {
            connection.handle_timeout(now);
        }
    }

    /// The UDP datagrams that may leave now.
    pub fn transmit(&mut self, now: Instant) -> Vec<Vec<u8>> {
        let mut out = std::mem::take(&mut self.answers);
        let Some((handle, connection)) = &mut self.connection else { return out };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
        let mut buffer = Vec::new();
        while let Some(transmit) = connection.poll_transmit(now, NonZeroUsize::MIN, &mut buffer) {
            out.push(buffer[..transmit.size].to_vec());
            buffer.clear();
        }
        while connection.poll().is_some() {}
        out
    }

    fn is_open(&mut self) -> bool {
        self.connection.as_mut().is_some_and(|(_, connection)| connection.datagrams().max_size().is_some())
    }

    /// Hands over packets of the application; before there is a connection they are lost.
    pub fn send(&mut self, now_ns: u64, packets: usize) {
        if !self.is_open() {
            return;
        }
        let Some((_, connection)) = &mut self.connection else { return };
        for _ in 0..packets {
            let mut payload = vec![0; PACKET_BYTES];
            payload[..8].copy_from_slice(&now_ns.to_be_bytes());
            connection.datagrams().send(payload.into(), false).unwrap();
        }
    }

    /// Hands over packets until twenty wait.
    pub fn fill(&mut self, now_ns: u64) {
        if !self.is_open() {
            return;
        }
        let Some((_, connection)) = &mut self.connection else { return };
        let waiting = (self.empty_space - connection.datagrams().send_buffer_space()) / PACKET_BYTES;
        self.send(now_ns, 20_usize.saturating_sub(waiting));
    }

    /// What has come: when it was handed over, ns, and its bytes.
    pub fn received(&mut self) -> Vec<(u64, usize)> {
        let Some((_, connection)) = &mut self.connection else { return Vec::new() };
        let mut datagrams = connection.datagrams();
        std::iter::from_fn(|| datagrams.recv())
            .map(|payload| (u64::from_be_bytes(payload[..8].try_into().unwrap()), payload.len()))
            .collect()
    }

    pub fn pacing_bps(&self) -> Option<f64> {
        let (_, connection) = self.connection.as_ref()?;
        connection.congestion_state(PathId::ZERO)?.metrics().pacing_rate.map(|bytes| 8.0 * bytes as f64)
    }
}
