//! An end of the tunnel, from its start until nobody wants it any more.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use coexist_quic::identity::{Certificate, Identity, read_certificate, until_end};
use coexist_quic::tls;
use coexist_quic::transport::transport;
use noq::{ClientConfig, Connection, ConnectionError, Endpoint, EndpointConfig, ServerConfig, TransportConfig, VarInt};
use tokio::io::{AsyncBufRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use crate::carriage::{Carriage, stack_buffer_bytes};
use crate::counters::Counters;
use crate::flows::Flows;
use crate::options::{Options, Role};
use crate::qlog::Log;
use crate::report::Report;

/// What both ends speak, by its name for ALPN.
const PROTOCOL: &str = "coexist-tunnel";
/// For the other end to be there, of a server and of a client.
const SERVER_WAIT: Duration = Duration::from_secs(30);
const CLIENT_WAIT: Duration = Duration::from_secs(8);
/// For the other end to be told of the end.
const GOODBYE: Duration = Duration::from_millis(500);
/// Before the first round trip is known.
const INITIAL_RTT: Duration = Duration::from_millis(50);
/// Streams that may be open at once, one for each packet that is under way.
const MOST_STREAMS: u32 = 1 << 16;
/// Bytes of datagrams that have come and were not yet given to the application.
const RECEIVE_BUFFER_BYTES: usize = 1 << 20;
/// IP and UDP headers, bytes.
const HEADERS_V4: u16 = 28;
const HEADERS_V6: u16 = 48;

/// What standard input begins with.
enum Either {
    Server(Identity),
    Client(Certificate),
}

/// Why it did not end as it should. The texts are lines for people.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// It cannot be done here.
    Cannot(String),
    /// The other end is gone.
    Lost(String),
}

/// Runs until `input` ends, `stop` is there, or the other end goes. `input` begins with the certificate, of a server after its key.
pub async fn run(
    options: Options,
    mut input: impl AsyncBufRead + Unpin,
    stop: impl Future<Output = ()>,
    mut output: impl AsyncWrite + Unpin,
) -> Result<(), Failure> {
    let log = options
        .qlog
        .as_deref()
        .map(|folder| Log::create(folder, role(&options)))
        .transpose()
        .map_err(Failure::Cannot)?;
    let mut report = Report::new();
    let cannot_read = |error: std::io::Error| Failure::Cannot(error.to_string());
    let identity = match options.role {
        Role::Server => Either::Server(Identity::read(&mut input).await.map_err(cannot_read)?),
        Role::Client => Either::Client(read_certificate(&mut input).await.map_err(cannot_read)?),
    };
    let mut done = pin!(async {
        tokio::select! {
            ended = until_end(input) => ended,
            () = stop => Ok(()),
        }
    });
    let (endpoint, connection, flows) = match identity {
        Either::Server(identity) => {
            let endpoint = listening(&options, identity, &log)?;
            told(&mut output, "listening\n").await?;
            let connection = tokio::select! {
                connection = accepted(&endpoint, &mut output, &report, options.report) => connection?,
                ended = &mut done => return ended.map_err(cannot_read),
            };
            (endpoint, connection, Flows::server(options.udp))
        }
        Either::Client(certificate) => {
            let flows = Flows::client(options.udp)
                .map_err(|error| Failure::Cannot(format!("cannot listen on UDP {}: {error}", options.udp)))?;
            let (endpoint, config) = connecting(&options, certificate, &log)?;
            let connection = tokio::select! {
                connection = connected(&endpoint, config, options.quic) => connection?,
                ended = &mut done => return ended.map_err(cannot_read),
            };
            told(&mut output, "listening\n").await?;
            (endpoint, connection, flows)
        }
    };
    if connection.max_datagram_size().is_none() {
        return Err(Failure::Cannot(String::from("the other end takes no datagrams")));
    }
    let carriage =
        Arc::new(Carriage::new(connection, options.mode, options.send_buffer_bytes, Arc::new(Counters::default())));
    let flows = Arc::new(flows);
    let outcome = tokio::select! {
        biased; // an end is not missed
        ended = &mut done => ended.map(|()| "asked").map_err(cannot_read),
        error = carriage.connection.closed() => why(&error, options.silence),
        () = async { tokio::join!(carriage.receive(&flows), flows.listen(&carriage)); } => unreachable!("it listens without end"),
        error = tell(&mut report, &carriage, &flows, &mut output, options.report) => Err(error),
    };
    let last = report.ended(outcome.as_ref().map_or("lost", |why| why), &carriage, &flows);
    carriage.connection.close(VarInt::from_u32(0), b"");
    let _ = timeout(GOODBYE, endpoint.wait_idle()).await; // who is gone needs no goodbye
    if let Some(log) = &log {
        log.finish();
    }
    told(&mut output, &last).await?;
    outcome.map(|_| ())
}

fn role(options: &Options) -> &'static str {
    match options.role {
        Role::Server => "server",
        Role::Client => "client",
    }
}

/// Largest UDP payload of the path.
fn udp_payload_bytes(options: &Options) -> u16 {
    options.mtu_bytes - if options.quic.is_ipv4() { HEADERS_V4 } else { HEADERS_V6 }
}

fn transport_of(options: &Options, log: &Option<Log>) -> Result<Arc<TransportConfig>, Failure> {
    let idle = options.silence.try_into().map_err(|_| Failure::Cannot(String::from("--silence-ms is too long")))?;
    let mut transport = transport(options.control, udp_payload_bytes(options));
    transport
        .congestion_controller_factory(options.control.configured(options.copa))
        .max_concurrent_uni_streams(MOST_STREAMS.into())
        .max_concurrent_bidi_streams(0u32.into())
        .datagram_receive_buffer_size(Some(RECEIVE_BUFFER_BYTES))
        .datagram_send_buffer_size(stack_buffer_bytes(options.send_buffer_bytes))
        // what may wait is bounded by the carriage; this would bound what is in flight as well
        .send_window(u64::from(u32::MAX))
        // in turn, as packets came: taking turns among streams would put the newest before the oldest
        .send_fairness(false)
        .initial_rtt(INITIAL_RTT)
        .max_idle_timeout(Some(idle))
        .keep_alive_interval(Some(options.silence / 4));
    if let Some(log) = log {
        transport.qlog_factory(Arc::new(log.clone()));
    }
    Ok(Arc::new(transport))
}

/// `listen`: an address to listen on; `server`: how to take those who come.
fn endpoint(options: &Options, listen: SocketAddr, server: Option<ServerConfig>) -> Result<Endpoint, Failure> {
    let cannot = |error: std::io::Error| Failure::Cannot(format!("cannot listen on UDP {listen}: {error}"));
    let mut config = EndpointConfig::default();
    config.max_udp_payload_size(udp_payload_bytes(options)).map_err(|error| Failure::Cannot(error.to_string()))?;
    let runtime = noq::default_runtime().ok_or_else(|| Failure::Cannot(String::from("there is no runtime")))?;
    Endpoint::new(config, server, std::net::UdpSocket::bind(listen).map_err(cannot)?, runtime).map_err(cannot)
}

fn listening(options: &Options, identity: Identity, log: &Option<Log>) -> Result<Endpoint, Failure> {
    let mut config = ServerConfig::with_crypto(tls::server(identity, PROTOCOL).map_err(Failure::Cannot)?);
    config.transport_config(transport_of(options, log)?);
    config.migration(false);
    endpoint(options, options.quic, Some(config))
}

fn connecting(
    options: &Options,
    certificate: Certificate,
    log: &Option<Log>,
) -> Result<(Endpoint, ClientConfig), Failure> {
    let mut config = ClientConfig::new(tls::client(certificate, PROTOCOL).map_err(Failure::Cannot)?);
    config.transport_config(transport_of(options, log)?);
    let any =
        if options.quic.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) };
    Ok((endpoint(options, SocketAddr::new(any, 0), None)?, config))
}

/// The first that comes and can shake hands; all others are refused.
async fn accepted(
    endpoint: &Endpoint,
    output: &mut (impl AsyncWrite + Unpin),
    report: &Report,
    every: Duration,
) -> Result<Connection, Failure> {
    let first = async {
        while let Some(incoming) = endpoint.accept().await {
            if let Ok(Ok(connection)) = timeout(CLIENT_WAIT, incoming).await {
                return Ok(connection);
            }
        }
        Err(Failure::Cannot(String::from("nobody can come any more")))
    };
    let mut pace = tokio::time::interval(every);
    let waiting = async {
        loop {
            pace.tick().await;
            if let Err(failure) = told(output, &report.waiting()).await {
                return failure;
            }
        }
    };
    let connection = tokio::select! {
        first = timeout(SERVER_WAIT, first) => first.map_err(|_| Failure::Lost(format!("no client has come within {} s", SERVER_WAIT.as_secs())))??,
        failure = waiting => return Err(failure),
    };
    let others = endpoint.clone();
    tokio::spawn(async move {
        while let Some(incoming) = others.accept().await {
            incoming.refuse();
        }
    });
    Ok(connection)
}

async fn connected(endpoint: &Endpoint, config: ClientConfig, server: SocketAddr) -> Result<Connection, Failure> {
    let lost = |how: String| Failure::Lost(format!("cannot connect to the other end at {server}: {how}"));
    let connecting = endpoint
        .connect_with(config, server, &server.ip().to_string())
        .map_err(|error| Failure::Cannot(error.to_string()))?;
    match timeout(CLIENT_WAIT, connecting).await {
        Ok(connection) => connection.map_err(|error| lost(error.to_string())),
        Err(_) => Err(lost(format!("no answer within {} s", CLIENT_WAIT.as_secs()))),
    }
}

/// Why a connection has ended: for the report, or as a failure.
fn why(error: &ConnectionError, silence: Duration) -> Result<&'static str, Failure> {
    match error {
        ConnectionError::ApplicationClosed(close) if close.error_code == VarInt::from_u32(0) => Ok("other-end"),
        ConnectionError::LocallyClosed => Ok("asked"),
        ConnectionError::TimedOut => {
            Err(Failure::Lost(format!("the other end has been silent for {} ms", silence.as_millis())))
        }
        error => Err(Failure::Lost(format!("the connection is lost: {error}"))),
    }
}

/// Tells without end; what it returns is why it cannot any more.
async fn tell(
    report: &mut Report,
    carriage: &Carriage,
    flows: &Flows,
    output: &mut (impl AsyncWrite + Unpin),
    every: Duration,
) -> Failure {
    let mut pace = tokio::time::interval(every);
    loop {
        pace.tick().await;
        if let Err(failure) = told(output, &report.connected(carriage, flows)).await {
            return failure;
        }
    }
}

async fn told(output: &mut (impl AsyncWrite + Unpin), line: &str) -> Result<(), Failure> {
    let written = async {
        output.write_all(line.as_bytes()).await?;
        output.flush().await
    };
    written.await.map_err(|error| Failure::Cannot(format!("nobody reads what is told: {error}")))
}
