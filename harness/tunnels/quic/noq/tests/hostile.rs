//! Foreign bytes at every door of an end: nothing that is sent ends it, and what is no packet is counted.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use coexist_quic::identity::Identity;
use coexist_quic::tls;
use coexist_tunnel_noq::end::{Failure, run};
use coexist_tunnel_noq::options::Options;
use noq::{ClientConfig, Connection, Endpoint};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

const WAIT: Duration = Duration::from_secs(10);
/// Time for each round of random bytes.
const BOX: Duration = Duration::from_secs(2);

struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.0 >> 8
    }

    fn bytes(&mut self, most: u32) -> Vec<u8> {
        (0..self.next() % (most + 1)).map(|_| self.next() as u8).collect()
    }
}

/// The server's end, with its application's socket.
struct Testbed {
    quic: SocketAddr,
    application: UdpSocket,
    certificate: String,
    input: DuplexStream,
    lines: tokio::io::Lines<BufReader<DuplexStream>>,
    ended: JoinHandle<Result<(), Failure>>,
}

fn free_port() -> SocketAddr {
    std::net::UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

async fn testbed() -> Testbed {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_string()]).unwrap();
    let application = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let quic = free_port();
    let line = format!(
        "server --quic {quic} --udp {} --mode stream --congestion copa --report-ms 20",
        application.local_addr().unwrap()
    );
    let options = Options::parse(&line.split(' ').map(String::from).collect::<Vec<_>>()).unwrap();
    let (mut input, theirs) = duplex(1 << 16);
    let (output, ours) = duplex(1 << 20);
    input.write_all(format!("{}{}", made.key_pair.serialize_pem(), made.cert.pem()).as_bytes()).await.unwrap();
    let ended = tokio::spawn(run(options, BufReader::new(theirs), std::future::pending(), output));
    let mut lines = BufReader::new(ours).lines();
    assert_eq!(next(&mut lines).await, "listening");
    Testbed { quic, application, certificate: made.cert.pem(), input, lines, ended }
}

async fn next(lines: &mut tokio::io::Lines<BufReader<DuplexStream>>) -> String {
    tokio::time::timeout(WAIT, lines.next_line()).await.unwrap().unwrap().unwrap()
}

impl Testbed {
    async fn connect(&self) -> Result<Connection, noq::ConnectionError> {
        let certificate = coexist_quic::identity::read_certificate(&mut self.certificate.as_bytes()).await.unwrap();
        let config = ClientConfig::new(tls::client(certificate, "coexist-tunnel").unwrap());
        let endpoint = Endpoint::client(([127, 0, 0, 1], 0).into()).unwrap();
        endpoint.connect_with(config, self.quic, "127.0.0.1").unwrap().await
    }

    /// Reads reports until one has a member.
    async fn told(&mut self, member: &str) -> String {
        let start = Instant::now();
        loop {
            let line = next(&mut self.lines).await;
            if line.contains(member) {
                return line;
            }
            assert!(start.elapsed() < WAIT, "timed out waiting for {member}; the last line is {line}");
        }
    }

    /// Sends until it arrives: what goes before it may have filled a socket's buffer.
    async fn passes(&self, connection: &Connection) {
        let mut buffer = [0; 2048];
        let start = Instant::now();
        while start.elapsed() < WAIT {
            connection.send_datagram(vec![3, 1, 2, 3, 4].into()).unwrap();
            while let Ok(Ok((length, _))) =
                tokio::time::timeout(WAIT / 100, self.application.recv_from(&mut buffer)).await
            {
                if buffer[..length] == [1, 2, 3, 4] {
                    return;
                }
            }
        }
        panic!("nothing passes");
    }
}

#[tokio::test]
async fn bytes_that_are_no_quic_keep_nobody_out_and_nobody_in() {
    let mut testbed = testbed().await;
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let mut numbers = Numbers(1);
    let start = Instant::now();
    while start.elapsed() < BOX {
        socket.send_to(&numbers.bytes(1400), testbed.quic).await.unwrap();
        tokio::task::yield_now().await;
    }
    // who speaks QUIC and not our protocol does not take the one place
    let mut tls = tls_of_nobody(&testbed).await;
    tls.transport_config(Arc::new(noq::TransportConfig::default()));
    let endpoint = Endpoint::client(([127, 0, 0, 1], 0).into()).unwrap();
    assert!(endpoint.connect_with(tls, testbed.quic, "127.0.0.1").unwrap().await.is_err());
    let connection = testbed.connect().await.unwrap();
    assert!(testbed.connect().await.is_err(), "a second client is refused");
    for _ in 0..500 {
        socket.send_to(&numbers.bytes(1400), testbed.quic).await.unwrap();
    }
    testbed.passes(&connection).await;
    testbed.told("\"state\":\"connected\"").await;
}

async fn tls_of_nobody(testbed: &Testbed) -> ClientConfig {
    let certificate = coexist_quic::identity::read_certificate(&mut testbed.certificate.as_bytes()).await.unwrap();
    ClientConfig::new(tls::client(certificate, "another-protocol").unwrap())
}

#[tokio::test]
async fn frames_of_any_bytes_are_packets_or_are_counted() {
    let mut testbed = testbed().await;
    let connection = testbed.connect().await.unwrap();
    connection.send_datagram(Vec::new().into()).unwrap();
    let mut empty = connection.open_uni().await.unwrap();
    empty.finish().unwrap();
    let mut broken = connection.open_uni().await.unwrap();
    broken.write_all(&[1, 2, 3]).await.unwrap();
    broken.reset(7u32.into()).unwrap();
    let mut long = connection.open_uni().await.unwrap();
    let _ = long.write_all(&vec![0; 70_000]).await; // it may be stopped before its end
    let _ = long.finish();
    testbed.told("\"badFrames\":4,").await;
    let mut numbers = Numbers(2);
    let start = Instant::now();
    while start.elapsed() < BOX {
        let _ = connection.send_datagram(numbers.bytes(1100).into());
        if let Ok(mut stream) = connection.open_uni().await {
            let _ = stream.write_all(&numbers.bytes(3000)).await;
            let _ = if numbers.next().is_multiple_of(4) { stream.reset(1u32.into()) } else { stream.finish() };
        }
    }
    testbed.passes(&connection).await;
    testbed.input.shutdown().await.unwrap();
    let ended = testbed.told("\"state\":\"ended\"").await;
    assert!(ended.contains("\"why\":\"asked\""), "{ended}");
    assert_eq!(testbed.ended.await.unwrap(), Ok(()));
}

#[tokio::test]
async fn an_input_that_is_no_certificate_is_refused() {
    let mut numbers = Numbers(3);
    let start = Instant::now();
    while start.elapsed() < BOX {
        let mut text = numbers.bytes(2000);
        text.extend_from_slice(b"-----END CERTIFICATE-----\n");
        assert!(Identity::read(&mut text.as_slice()).await.is_err());
    }
}

#[test]
fn no_words_make_the_command_line_panic() {
    let words = [
        "server",
        "client",
        "--quic",
        "--udp",
        "--mode",
        "--congestion",
        "--mtu-bytes",
        "127.0.0.1:1",
        "stream",
        "copa",
        "-1",
        "1e9",
        "",
        "--copa-delta",
        "nan",
    ];
    let mut numbers = Numbers(4);
    for _ in 0..200_000 {
        let line: Vec<String> =
            (0..numbers.next() % 12).map(|_| words[numbers.next() as usize % words.len()].to_string()).collect();
        if let Err(message) = Options::parse(&line) {
            assert!(!message.contains('\n'), "{message}");
        }
    }
}
