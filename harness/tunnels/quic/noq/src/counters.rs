//! What an end has done with packets, since its start.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self, count: usize) {
        self.0.fetch_add(count as u64, Ordering::Relaxed);
    }

    pub fn take(&self, count: usize) {
        self.0.fetch_sub(count as u64, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Bytes are those of UDP payloads.
#[derive(Debug, Default)]
pub struct Counters {
    /// UDP packets that came in from the application, and what of them did not enter the tunnel.
    pub packets_in: Counter,
    pub bytes_in: Counter,
    /// They do not fit into one QUIC packet.
    pub too_large_packets: Counter,
    /// The send buffer was full.
    pub dropped_packets: Counter,
    /// They came from more addresses than there are flows.
    pub refused_packets: Counter,
    /// UDP packets that were given to the application.
    pub packets_out: Counter,
    pub bytes_out: Counter,
    /// The application's socket did not take them.
    pub undelivered_packets: Counter,
    /// What came through the tunnel and is no packet of a flow that is known.
    pub bad_frames: Counter,
    /// Bytes of streams that the other end has not acknowledged.
    pub unacked_stream_bytes: Counter,
}
