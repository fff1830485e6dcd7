//! Over real sockets of this machine: a client of h3's and noq's, our server, and a server of a few lines behind it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Buf, Bytes};
use coexist_http3::endpoint::{MOST_CONNECTIONS, serve, server_config};
use coexist_http3::quic::{self, Opener};
use coexist_http3::report::Connections;
use coexist_http3::streams::BidiStream;
use coexist_quic::control::Control;
use coexist_quic::identity::Identity;
use h3::client::{RequestStream, SendRequest};
use h3::error::StreamError;
use http::{Method, Request, Response};
use noq::crypto::rustls::QuicClientConfig;
use noq::{ClientConfig, Connection, Endpoint};
use rustls::RootCertStore;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream, UdpSocket};

const LONG: usize = 5_000_000;
const LOCAL: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);
const WAIT: Duration = Duration::from_secs(10);

type Sender = SendRequest<Opener, Bytes>;

struct Testbed {
    server: SocketAddr,
    roots: RootCertStore,
    connections: Connections,
    /// Bytes of endless answers that were taken from the server behind, and such answers that were given up.
    taken: Arc<AtomicUsize>,
    abandoned: Arc<AtomicUsize>,
}

/// The server, with one that answers behind it.
async fn testbed(control: Control) -> Testbed {
    let (taken, abandoned) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let behind = TcpListener::bind(LOCAL).await.unwrap();
    let to = behind.local_addr().unwrap();
    let counters = (taken.clone(), abandoned.clone());
    tokio::spawn(async move {
        while let Ok((socket, _)) = behind.accept().await {
            tokio::spawn(answer(socket, counters.0.clone(), counters.1.clone()));
        }
    });
    Testbed { taken, abandoned, ..in_front_of(to, control).await }
}

/// The server, with whatever is there behind it.
async fn in_front_of(to: SocketAddr, control: Control) -> Testbed {
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let text = format!("{}{}", made.key_pair.serialize_pem(), made.cert.pem());
    let identity = Identity::read(&mut text.as_bytes()).await.unwrap();
    let endpoint = Endpoint::server(server_config(identity, control).unwrap(), LOCAL.into()).unwrap();
    let (server, connections) = (endpoint.local_addr().unwrap(), Connections::default());
    tokio::spawn(serve(endpoint, to, connections.clone()));
    Testbed { server, roots, connections, taken: Arc::default(), abandoned: Arc::default() }
}

/// HTTP/1.1 in a few lines: /echo tells the request's head, /long has a length, /short breaks off, /endless ends when nobody takes it.
async fn answer(socket: TcpStream, taken: Arc<AtomicUsize>, abandoned: Arc<AtomicUsize>) {
    let mut socket = BufReader::new(socket);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if socket.read_line(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let path = head.split(' ').nth(1).unwrap().to_string();
    let long: Vec<u8> = (0..LONG).map(|k| (k % 251) as u8).collect();
    let (fields, body) = match path.as_str() {
        "/long" => (format!("200 OK\r\nConnection: keep-alive\r\nContent-Length: {LONG}"), long.as_slice()),
        "/short" => (String::from("200 OK\r\nContent-Length: 100"), b"ten bytes.".as_slice()),
        "/endless" => (String::from("200 OK"), b"".as_slice()),
        _ => (
            format!("206 Partial Content\r\nKeep-Alive: timeout=5\r\nX-Kept: yes\r\nContent-Length: {}", head.len()),
            head.as_bytes(),
        ),
    };
    socket.write_all(format!("HTTP/1.1 {fields}\r\n\r\n").as_bytes()).await.unwrap();
    socket.write_all(body).await.unwrap();
    if path == "/endless" {
        while socket.write_all(&[7; 65_536]).await.is_ok() {
            taken.fetch_add(65_536, Ordering::SeqCst);
        }
        abandoned.fetch_add(1, Ordering::SeqCst);
    }
}

impl Testbed {
    async fn connect(&self) -> Result<Connection, noq::ConnectionError> {
        let mut tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .unwrap()
            .with_root_certificates(self.roots.clone())
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h3".to_vec()];
        let endpoint = Endpoint::client(LOCAL.into()).unwrap();
        endpoint
            .connect_with(
                ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).unwrap())),
                self.server,
                "localhost",
            )
            .unwrap()
            .await
    }

    async fn client(&self) -> (Connection, Sender) {
        let connection = self.connect().await.unwrap();
        let (mut driver, sender) = h3::client::new(quic::Connection::new(connection.clone())).await.unwrap();
        tokio::spawn(async move { std::future::poll_fn(|context| driver.poll_close(context)).await });
        (connection, sender)
    }

    fn uri(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.server.port())
    }

    async fn request(
        &self,
        sender: &mut Sender,
        method: Method,
        path: &str,
    ) -> Result<(Response<()>, RequestStream<BidiStream<Bytes>, Bytes>), StreamError> {
        let request =
            Request::builder().method(method).uri(self.uri(path)).header("range", "bytes=5-9").body(()).unwrap();
        let mut stream = sender.send_request(request).await?;
        stream.finish().await?;
        Ok((stream.recv_response().await?, stream))
    }

    /// Status, header fields and the whole body; an error where the answer breaks off.
    async fn get(&self, sender: &mut Sender, path: &str) -> Result<(Response<()>, Vec<u8>), StreamError> {
        let (response, mut stream) = self.request(sender, Method::GET, path).await?;
        let mut body = Vec::new();
        while let Some(mut piece) = stream.recv_data().await? {
            while piece.has_remaining() {
                let bytes = piece.chunk();
                body.extend_from_slice(bytes);
                let length = bytes.len();
                piece.advance(length);
            }
        }
        Ok((response, body))
    }

    async fn still_serves(&self) {
        let (_connection, mut sender) = self.client().await;
        assert_eq!(self.get(&mut sender, "/echo").await.unwrap().0.status(), 206);
    }
}

async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(WAIT / 1000).await;
    }
    panic!("timed out waiting for {what}");
}

#[tokio::test]
async fn request_and_answer_pass_through() {
    let testbed = testbed(Control::Cubic).await;
    let (_connection, mut sender) = testbed.client().await;
    let (response, body) = testbed.get(&mut sender, "/echo?part=1&of=2").await.unwrap();
    assert_eq!(response.status(), 206);
    assert_eq!(response.headers()["x-kept"], "yes");
    assert!(!response.headers().contains_key("keep-alive"));
    let head = String::from_utf8(body).unwrap().to_lowercase();
    assert!(head.starts_with("get /echo?part=1&of=2 http/1.1\r\n"), "{head}");
    assert!(
        head.contains("range: bytes=5-9\r\n")
            && head.contains(&format!("host: localhost:{}\r\n", testbed.server.port())),
        "{head}"
    );
    assert_eq!(testbed.request(&mut sender, Method::POST, "/echo").await.unwrap().0.status(), 405);
}

#[tokio::test]
async fn a_long_answer_comes_whole_and_the_connection_is_told() {
    for control in Control::NOQ {
        let testbed = testbed(control).await;
        let (connection, mut sender) = testbed.client().await;
        let (response, body) = testbed.get(&mut sender, "/long").await.unwrap();
        assert_eq!(response.headers()["content-length"], LONG.to_string().as_str());
        assert!(
            body.len() == LONG && body.iter().enumerate().all(|(k, byte)| *byte == (k % 251) as u8),
            "{} bytes",
            body.len()
        );
        let line = testbed.connections.line();
        assert!(line.contains(&format!("\"congestionControl\":\"{}\"", control.name())), "{line}");
        let sent: usize = line.split("\"sentBytes\":").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        assert!(sent > LONG && sent < 2 * LONG, "{line}");
        connection.close(0u32.into(), b"");
        eventually("the connection to be forgotten", || testbed.connections.line() == "{\"connections\":[]}\n").await;
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_does_not_look_whole() {
    let testbed = testbed(Control::Cubic).await;
    let (_connection, mut sender) = testbed.client().await;
    assert!(testbed.get(&mut sender, "/short").await.is_err());
    assert_eq!(testbed.get(&mut sender, "/echo").await.unwrap().0.status(), 206);
}

#[tokio::test]
async fn who_takes_nothing_holds_the_server_behind_back_and_who_leaves_ends_it() {
    let testbed = testbed(Control::Cubic).await;
    let (_connection, mut sender) = testbed.client().await;
    let (_, mut stream) = testbed.request(&mut sender, Method::GET, "/endless").await.unwrap();
    let mut before = usize::MAX;
    let taken = testbed.taken.clone();
    eventually("the server behind to be held back", || {
        std::thread::sleep(Duration::from_millis(50));
        let held = taken.load(Ordering::SeqCst) == before;
        before = taken.load(Ordering::SeqCst);
        held && before > 0
    })
    .await;
    assert!(before < 64 << 20, "{before} bytes are on their way");
    assert_eq!(testbed.abandoned.load(Ordering::SeqCst), 0);
    stream.stop_sending(h3::error::Code::H3_REQUEST_CANCELLED);
    drop(stream);
    let abandoned = testbed.abandoned.clone();
    eventually("the answer to be abandoned", || abandoned.load(Ordering::SeqCst) == 1).await;
}

#[tokio::test]
async fn nothing_that_is_sent_ends_it() {
    let testbed = testbed(Control::Bbr3).await;
    let socket = UdpSocket::bind(LOCAL).await.unwrap();
    let mut seed: u32 = 1;
    for length in 0..1200 {
        let datagram: Vec<u8> = (0..length)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 24) as u8
            })
            .collect();
        socket.send_to(&datagram, testbed.server).await.unwrap();
    }
    testbed.still_serves().await;
    // QUIC without HTTP/3: bytes without meaning on a stream of each kind, then a control stream that does not begin with settings
    let connection = testbed.connect().await.unwrap();
    let (mut both, _receive) = connection.open_bi().await.unwrap();
    both.write_all(&[0xff; 4096]).await.unwrap();
    let mut one = connection.open_uni().await.unwrap();
    one.write_all(&[0xff; 4096]).await.unwrap();
    let mut control = connection.open_uni().await.unwrap();
    control.write_all(&[0x00, 0x00, 0x01, 0x41]).await.unwrap();
    tokio::time::timeout(WAIT, connection.closed()).await.unwrap();
    testbed.still_serves().await;
    // header fields without end
    let (_connection, mut sender) = testbed.client().await;
    let long = Request::builder().uri(testbed.uri("/echo")).header("x-long", "x".repeat(60_000)).body(()).unwrap();
    let refused = match sender.send_request(long).await {
        Ok(mut stream) => stream.recv_response().await.map_or(true, |response| response.status().is_client_error()),
        Err(_) => true,
    };
    assert!(refused);
    testbed.still_serves().await;
}

#[tokio::test]
async fn more_connections_than_there_is_room_for_are_refused_until_some_leave() {
    let testbed = testbed(Control::NewReno).await;
    let mut open = Vec::new();
    for _ in 0..MOST_CONNECTIONS {
        open.push(testbed.connect().await.unwrap());
    }
    assert!(testbed.connect().await.is_err());
    for connection in open {
        connection.close(0u32.into(), b"");
    }
    eventually("room", || testbed.connections.line() == "{\"connections\":[]}\n").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    testbed.still_serves().await;
}

#[tokio::test]
async fn a_server_behind_that_is_not_there_is_told() {
    let nobody = TcpListener::bind(LOCAL).await.unwrap().local_addr().unwrap();
    let testbed = in_front_of(nobody, Control::Cubic).await;
    let (_connection, mut sender) = testbed.client().await;
    assert_eq!(testbed.request(&mut sender, Method::GET, "/").await.unwrap().0.status(), 502);
}
