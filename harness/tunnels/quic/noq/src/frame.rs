//! What a DATAGRAM frame or a stream holds: the number of a flow in one byte, and then the UDP payload as it is.

use bytes::{BufMut, Bytes, BytesMut};

/// Bytes before the payload.
pub const HEADER_BYTES: usize = 1;

pub fn framed(flow: u8, payload: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(HEADER_BYTES + payload.len());
    frame.put_u8(flow);
    frame.put_slice(payload);
    frame.freeze()
}

/// Flow and payload; none where there is not even a flow. A payload may be empty, as UDP's may.
pub fn parse(frame: &[u8]) -> Option<(u8, &[u8])> {
    frame.split_first().map(|(flow, payload)| (*flow, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_framed_is_what_is_read() {
        for payload in [&b""[..], b"x", &[7; 1433]] {
            assert_eq!(parse(&framed(255, payload)), Some((255, payload)));
        }
        assert_eq!(parse(b""), None);
    }
}
