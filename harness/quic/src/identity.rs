//! A server's certificate and key: PEM texts on standard input, which stays open for as long as the program is wanted.

use std::io::{Error, ErrorKind, Result};

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// Both together are shorter by far.
const MOST_BYTES: usize = 1 << 16;
const LAST_LINE: &str = "-----END CERTIFICATE-----";

/// A certificate in DER.
pub type Certificate = CertificateDer<'static>;

pub struct Identity {
    pub certificate: Certificate,
    pub key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Reads a key and then a certificate, and nothing beyond it.
    pub async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Identity> {
        let text = read_text(input).await?;
        let certificate = certificate_of(&text)?;
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes())
            .map_err(|error| invalid(&format!("the key cannot be read: {error}")))?;
        Ok(Identity { certificate, key })
    }
}

/// Reads a certificate, and nothing beyond it: what a client needs.
pub async fn read_certificate(input: &mut (impl AsyncBufRead + Unpin)) -> Result<Certificate> {
    certificate_of(&read_text(input).await?)
}

async fn read_text(input: &mut (impl AsyncBufRead + Unpin)) -> Result<String> {
    let mut text = String::new();
    let mut lines = input.take(MOST_BYTES as u64);
    while !text.trim_end().ends_with(LAST_LINE) {
        if lines.read_line(&mut text).await? == 0 {
            return Err(invalid("standard input holds no certificate"));
        }
    }
    Ok(text)
}

fn certificate_of(text: &str) -> Result<Certificate> {
    CertificateDer::from_pem_slice(text.as_bytes())
        .map_err(|error| invalid(&format!("the certificate cannot be read: {error}")))
}

/// Reads until there is no more: nobody wants the program any longer.
pub async fn until_end(mut input: impl AsyncReadExt + Unpin) -> Result<()> {
    let mut rest = [0; 1024];
    while input.read(&mut rest).await? > 0 {}
    Ok(())
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn refusal(text: &str) -> String {
        Identity::read(&mut text.as_bytes()).await.err().unwrap().to_string()
    }

    #[tokio::test]
    async fn a_key_and_a_certificate_and_no_more() {
        let made = rcgen::generate_simple_self_signed(["10.0.1.2".to_string()]).unwrap();
        let text = format!("{}{}more", made.key_pair.serialize_pem(), made.cert.pem());
        let mut input = text.as_bytes();
        let identity = Identity::read(&mut input).await.unwrap();
        assert_eq!(&identity.certificate, made.cert.der());
        assert_eq!(input, b"more");
        assert_eq!(&read_certificate(&mut made.cert.pem().as_bytes()).await.unwrap(), made.cert.der());
    }

    #[tokio::test]
    async fn what_is_none_is_refused() {
        assert!(refusal("").await.contains("no certificate"));
        assert!(refusal(&"x".repeat(2 * MOST_BYTES)).await.contains("no certificate"));
        assert!(refusal("-----END CERTIFICATE-----\n").await.contains("cannot be read"));
    }
}
