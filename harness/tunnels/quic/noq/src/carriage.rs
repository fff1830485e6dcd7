//! How packets enter and leave the connection: each in a DATAGRAM frame, or each in a unidirectional stream of its own.
//! The payload that waits for its first transmission is bounded in both modes; packets that arrive when the buffer is
//! full are dropped, as at the tail of a queue.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use coexist_quic::watched::Watched;
use noq::{Connection, PathId, SendDatagramError, VarInt};

use crate::counters::Counters;
use crate::flows::Flows;
use crate::frame::{HEADER_BYTES, framed};
use crate::options::Mode;

/// Of a frame that comes in a stream. The other end sends none that is larger.
const MOST_BYTES: usize = 1 << 16;
/// noq adds some bytes per datagram to its count, and drops the oldest datagram when its buffer is full: its buffer
/// must not fill before ours does.
pub const fn stack_buffer_bytes(send_buffer_bytes: usize) -> usize {
    send_buffer_bytes.saturating_mul(64)
}

pub struct Carriage {
    pub connection: Connection,
    pub mode: Mode,
    pub send_buffer_bytes: usize,
    pub counters: Arc<Counters>,
    /// What noq says is free in its datagram buffer while nothing waits.
    empty_space: usize,
}

impl Carriage {
    /// For a connection that has just been made.
    pub fn new(connection: Connection, mode: Mode, send_buffer_bytes: usize, counters: Arc<Counters>) -> Carriage {
        let empty_space = connection.datagram_send_buffer_space();
        Carriage { connection, mode, send_buffer_bytes, counters, empty_space }
    }

    /// Largest payload that passes, of either mode: a packet is never cut into two.
    pub fn most_payload_bytes(&self) -> usize {
        self.connection.max_datagram_size().unwrap_or(0).saturating_sub(HEADER_BYTES)
    }

    /// Payload that waits for its first transmission, or in stream mode for any.
    pub fn queued_bytes(&self) -> usize {
        match self.mode {
            Mode::Datagram => self.empty_space.saturating_sub(self.connection.datagram_send_buffer_space()),
            Mode::Stream => {
                let unacked_bytes = self.counters.unacked_stream_bytes.get() as usize;
                let in_flight_bytes =
                    watched(&self.connection).map_or(0, |watched| watched.account().in_flight_bytes as usize);
                unacked_bytes.saturating_sub(in_flight_bytes)
            }
        }
    }

    /// Takes a packet of the application; none is a flow that there is no number for.
    pub fn send(&self, flow: Option<u8>, payload: &[u8]) {
        self.counters.packets_in.add(1);
        self.counters.bytes_in.add(payload.len());
        let Some(flow) = flow else { return self.counters.refused_packets.add(1) };
        if payload.len() > self.most_payload_bytes() {
            return self.counters.too_large_packets.add(1);
        }
        if self.is_full(HEADER_BYTES + payload.len()) {
            return self.counters.dropped_packets.add(1);
        }
        let frame = framed(flow, payload);
        let is_sent = match self.mode {
            Mode::Datagram => match self.connection.send_datagram(frame) {
                Ok(()) => true,
                Err(SendDatagramError::TooLarge) => return self.counters.too_large_packets.add(1),
                Err(_) => false,
            },
            Mode::Stream => self.send_stream(&frame),
        };
        if !is_sent {
            self.counters.dropped_packets.add(1);
        }
    }

    fn is_full(&self, more_bytes: usize) -> bool {
        // what is not even sent and unacknowledged does not wait: the dear look at the congestion control is spared
        if self.mode == Mode::Stream
            && self.counters.unacked_stream_bytes.get() as usize + more_bytes <= self.send_buffer_bytes
        {
            return false;
        }
        self.queued_bytes() + more_bytes > self.send_buffer_bytes
    }

    /// Whether a stream could be opened and took all of it at once.
    fn send_stream(&self, frame: &[u8]) -> bool {
        let Some(Ok(mut stream)) = at_once(self.connection.open_uni()) else { return false };
        if !matches!(at_once(stream.write_all(frame)), Some(Ok(()))) || stream.finish().is_err() {
            let _ = stream.reset(VarInt::from_u32(0)); // what is closed needs none
            return false;
        }
        let (counters, length, acknowledged) = (self.counters.clone(), frame.len(), stream.stopped());
        counters.unacked_stream_bytes.add(length);
        tokio::spawn(async move {
            let _ = acknowledged.await; // or the connection is gone
            counters.unacked_stream_bytes.take(length);
        });
        true
    }

    /// Gives what comes through to the application, until the connection ends.
    pub async fn receive(self: &Arc<Self>, flows: &Arc<Flows>) {
        tokio::join!(
            async {
                while let Ok(frame) = self.connection.read_datagram().await {
                    flows.deliver(&frame, self);
                }
            },
            async {
                while let Ok(mut stream) = self.connection.accept_uni().await {
                    let (flows, carriage) = (flows.clone(), self.clone());
                    // each as it is complete: none waits for another
                    tokio::spawn(async move {
                        match stream.read_to_end(MOST_BYTES).await {
                            Ok(frame) => flows.deliver(&frame, &carriage),
                            Err(_) => carriage.counters.bad_frames.add(1),
                        }
                    });
                }
            },
        );
    }
}

/// The connection's congestion control with its account.
pub fn watched(connection: &Connection) -> Option<Watched> {
    connection.congestion_state(PathId::ZERO)?.into_any().downcast::<Watched>().ok().map(|watched| *watched)
}

/// What a future has at once; none where it would have to be waited for.
fn at_once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
