//! Forwards one request to the server behind, over HTTP/1.1 (RFC 9112) on a TCP connection of its own, and passes the
//! response on piece by piece, no faster than the client takes it. Bodies of requests are not forwarded, because
//! nothing is uploaded here.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use h3::error::Code;
use http::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue, TRANSFER_ENCODING, UPGRADE,
};
use http::{Method, Request, Response, StatusCode, Version};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::streams::BidiStream;

type Stream = h3::server::RequestStream<BidiStream<Bytes>, Bytes>;

/// From the request to the head of the answer.
const HEAD: Duration = Duration::from_secs(10);
/// From one piece of the answer to the next.
const PIECE: Duration = Duration::from_secs(60);

/// Fields of one connection (RFC 9110, section 7.6.1), which HTTP/3 does not carry (RFC 9114, section 4.2).
const CONNECTION_FIELDS: [HeaderName; 5] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    TRANSFER_ENCODING,
    UPGRADE,
];

pub async fn forward(request: Request<()>, stream: Stream, to: SocketAddr) {
    let answer = match asked(request) {
        Ok(request) => timeout(HEAD, ask(request, to)).await.unwrap_or(Err(StatusCode::GATEWAY_TIMEOUT)),
        Err(status) => Err(status),
    };
    // a client that has gone away needs no answer
    let _ = match answer {
        Ok(answer) => pass_on(answer, stream).await,
        Err(status) => refuse(status, stream).await,
    };
}

/// The request as it is asked behind; or what it is answered with at once.
fn asked(request: Request<()>) -> Result<Request<Empty<Bytes>>, StatusCode> {
    let (head, ()) = request.into_parts();
    if ![Method::GET, Method::HEAD, Method::OPTIONS].contains(&head.method) {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let mut asked =
        Request::builder().method(head.method).uri(path).body(Empty::new()).map_err(|_| StatusCode::BAD_REQUEST)?;
    *asked.headers_mut() = head.headers;
    remove_connection_fields(asked.headers_mut());
    // they tell of a body
    asked.headers_mut().remove(CONTENT_LENGTH);
    asked.headers_mut().remove(EXPECT);
    if let Some(authority) = head.uri.authority() {
        asked
            .headers_mut()
            .insert(HOST, HeaderValue::from_str(authority.as_str()).map_err(|_| StatusCode::BAD_REQUEST)?);
    }
    Ok(asked)
}

async fn ask(request: Request<Empty<Bytes>>, to: SocketAddr) -> Result<Response<Incoming>, StatusCode> {
    let socket = TcpStream::connect(to).await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(socket)).await.map_err(|_| StatusCode::BAD_GATEWAY)?;
    // it ends with the answer, or when nobody reads that any more
    tokio::spawn(connection);
    sender.send_request(request).await.map_err(|_| StatusCode::BAD_GATEWAY)
}

async fn pass_on(answer: Response<Incoming>, mut stream: Stream) -> Result<(), h3::error::StreamError> {
    let (mut head, mut body) = answer.into_parts();
    remove_connection_fields(&mut head.headers);
    head.version = Version::HTTP_3;
    stream.send_response(Response::from_parts(head, ())).await?;
    loop {
        match timeout(PIECE, body.frame()).await {
            Ok(None) => return stream.finish().await,
            Ok(Some(Ok(frame))) => {
                if let Ok(piece) = frame.into_data() {
                    stream.send_data(piece).await?;
                }
            }
            // an incomplete response must not look complete
            Ok(Some(Err(_))) | Err(_) => {
                stream.stop_stream(Code::H3_INTERNAL_ERROR);
                return Ok(());
            }
        }
    }
}

async fn refuse(status: StatusCode, mut stream: Stream) -> Result<(), h3::error::StreamError> {
    let mut head = Response::new(());
    *head.status_mut() = status;
    stream.send_response(head).await?;
    stream.finish().await
}

fn remove_connection_fields(fields: &mut HeaderMap) {
    let named: Vec<HeaderName> = fields
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.into_iter().chain(CONNECTION_FIELDS) {
        fields.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, uri: &str) -> Request<()> {
        Request::builder()
            .method(method)
            .uri(uri)
            .header("range", "bytes=1-2")
            .header("content-length", "9")
            .body(())
            .unwrap()
    }

    #[test]
    fn a_request_keeps_method_path_query_and_fields_and_gets_a_host() {
        let asked = asked(request("HEAD", "https://10.0.1.2:8101/video/3/7.m4s?part=0&of=2")).unwrap();
        assert_eq!(asked.method(), Method::HEAD);
        assert_eq!(asked.uri(), "/video/3/7.m4s?part=0&of=2");
        let mut fields: Vec<_> =
            asked.headers().iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
        fields.sort();
        assert_eq!(fields, ["host: 10.0.1.2:8101", "range: bytes=1-2"]);
    }

    #[test]
    fn what_uploads_or_makes_tunnels_is_refused() {
        for method in ["POST", "PUT", "CONNECT", "BREW"] {
            assert_eq!(asked(request(method, "https://10.0.1.2/")).unwrap_err(), StatusCode::METHOD_NOT_ALLOWED);
        }
    }

    #[test]
    fn fields_of_a_connection_stay_there_those_that_it_names_as_well() {
        let mut fields = HeaderMap::new();
        for (name, value) in [
            ("connection", "keep-alive, X-Hop"),
            ("keep-alive", "timeout=600"),
            ("x-hop", "1"),
            ("transfer-encoding", "chunked"),
            ("content-type", "video/mp4"),
        ] {
            fields.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        remove_connection_fields(&mut fields);
        assert_eq!(fields.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["content-type"]);
    }
}
