//! The application's UDP sockets. A flow is the traffic from and to one address on the browser's side. The client's end
//! gives each source address a number; the server's end has a socket for each number.

use std::collections::HashMap;
use std::io::Result;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::UdpSocket;

use crate::carriage::Carriage;
use crate::frame::parse;

/// More than a UDP payload can have.
const BUFFER_BYTES: usize = 1 << 16;
/// After an error of a socket, as where nobody listens yet (ICMP).
const PAUSE: Duration = Duration::from_millis(5);

pub enum Flows {
    Server { to: SocketAddr, sockets: Mutex<HashMap<u8, Arc<Socket>>> },
    Client { socket: Socket, addresses: Mutex<Addresses> },
}

/// Listened to by way of tokio, and sent to past it: tokio sends only once it has seen that a socket can be written to, which a new
/// one's first packet does not wait for.
pub struct Socket {
    listen: UdpSocket,
    send: std::net::UdpSocket,
}

impl Socket {
    fn new(send: std::net::UdpSocket) -> Result<Socket> {
        send.set_nonblocking(true)?;
        Ok(Socket { listen: UdpSocket::from_std(send.try_clone()?)?, send })
    }
}

#[derive(Default)]
pub struct Addresses {
    numbers: HashMap<SocketAddr, u8>,
    by_number: Vec<SocketAddr>,
}

impl Addresses {
    /// None where all numbers are taken by others.
    fn number(&mut self, address: SocketAddr) -> Option<u8> {
        if let Some(number) = self.numbers.get(&address) {
            return Some(*number);
        }
        let number = u8::try_from(self.by_number.len()).ok()?;
        self.by_number.push(address);
        self.numbers.insert(address, number);
        Some(number)
    }
}

impl Flows {
    pub fn server(to: SocketAddr) -> Flows {
        Flows::Server { to, sockets: Mutex::default() }
    }

    pub fn client(listen: SocketAddr) -> Result<Flows> {
        Ok(Flows::Client { socket: Socket::new(std::net::UdpSocket::bind(listen)?)?, addresses: Mutex::default() })
    }

    pub fn count(&self) -> usize {
        match self {
            Flows::Server { sockets, .. } => sockets.lock().unwrap_or_else(PoisonError::into_inner).len(),
            Flows::Client { addresses, .. } => addresses.lock().unwrap_or_else(PoisonError::into_inner).by_number.len(),
        }
    }

    /// Beside the browser: passes on what comes in, without end.
    pub async fn listen(&self, carriage: &Carriage) {
        let Flows::Client { socket, addresses } = self else { return std::future::pending().await };
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let Ok((length, from)) = socket.listen.recv_from(&mut buffer).await else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let flow = addresses.lock().unwrap_or_else(PoisonError::into_inner).number(from);
            carriage.send(flow, &buffer[..length]);
        }
    }

    /// What has come through the tunnel goes to the application; what is no packet of a known flow is counted.
    pub fn deliver(self: &Arc<Self>, frame: &[u8], carriage: &Arc<Carriage>) {
        let counters = &carriage.counters;
        let Some((flow, payload)) = parse(frame) else { return counters.bad_frames.add(1) };
        let sent = match &**self {
            Flows::Client { socket, addresses } => {
                let to =
                    addresses.lock().unwrap_or_else(PoisonError::into_inner).by_number.get(usize::from(flow)).copied();
                let Some(to) = to else { return counters.bad_frames.add(1) };
                socket.send.send_to(payload, to)
            }
            Flows::Server { to, sockets } => {
                socket_of(flow, *to, sockets, carriage).and_then(|socket| socket.send.send(payload))
            }
        };
        match sent {
            Ok(_) => {
                counters.packets_out.add(1);
                counters.bytes_out.add(payload.len());
            }
            Err(_) => counters.undelivered_packets.add(1),
        }
    }
}

/// Beside the media server: the flow's socket, made with its first packet, from when on it is listened to.
fn socket_of(
    flow: u8,
    to: SocketAddr,
    sockets: &Mutex<HashMap<u8, Arc<Socket>>>,
    carriage: &Arc<Carriage>,
) -> Result<Arc<Socket>> {
    let mut sockets = sockets.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(socket) = sockets.get(&flow) {
        return Ok(socket.clone());
    }
    let any = if to.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) };
    let socket = std::net::UdpSocket::bind((any, 0))?;
    socket.connect(to)?;
    let socket = Arc::new(Socket::new(socket)?);
    sockets.insert(flow, socket.clone());
    let (listening, carriage) = (socket.clone(), carriage.clone());
    tokio::spawn(async move {
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            match listening.listen.recv(&mut buffer).await {
                Ok(length) => carriage.send(Some(flow), &buffer[..length]),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    });
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_number_and_there_are_256() {
        let mut addresses = Addresses::default();
        for _ in 0..2 {
            for port in 0..256 {
                assert_eq!(addresses.number(SocketAddr::from(([127, 0, 0, 1], 1000 + port))), Some(port as u8));
            }
        }
        assert_eq!(addresses.number(SocketAddr::from(([127, 0, 0, 2], 1000))), None);
    }
}
