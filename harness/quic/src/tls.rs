//! TLS 1.3 (RFC 9001) of both ends. A client trusts the one certificate that it is given.

use std::sync::Arc;

use noq::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use rustls::RootCertStore;

use crate::identity::{Certificate, Identity};

/// `protocol`: what is spoken over the connection, by its name for ALPN. The error is a line for people.
pub fn server(Identity { certificate, key }: Identity, protocol: &str) -> Result<Arc<QuicServerConfig>, String> {
    let mut tls = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![certificate], key))
        .map_err(|error| format!("the certificate is refused: {error}"))?;
    tls.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    QuicServerConfig::try_from(tls).map(Arc::new).map_err(|error| error.to_string())
}

/// For a server that shows `certificate`. The error is a line for people.
pub fn client(certificate: Certificate, protocol: &str) -> Result<Arc<QuicClientConfig>, String> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate).map_err(|error| format!("the certificate is refused: {error}"))?;
    let mut tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    QuicClientConfig::try_from(tls).map(Arc::new).map_err(|error| error.to_string())
}
