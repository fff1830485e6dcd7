//! Samples of the rate at which the path delivers ("Nominal rate" in the specification): what has been acknowledged since a packet was
//! sent, over the time that this took, or over the time in which it was sent if that was longer. The latter keeps acknowledgements
//! that arrive together from looking like a fast path.
//!
//! The specification counts the time from the packet's sending; here it is from the acknowledgement before that, as in
//! draft-ietf-ccwg-bbr, section 4.1. As an acknowledgement tells of several packets, the former is too short by up to the time between
//! two of them, and the highest sample is what counts: on a path of few packets it would be too high by a packet in each round trip.

use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct Sent {
    at_ms: f64,
    number: u64,
    /// Acknowledged before it was sent.
    delivered_bytes: f64,
    /// When the last acknowledgement before it came, and when its packet was sent.
    delivered_ms: f64,
    delivered_sent_ms: f64,
}

/// Sample of an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Acknowledged since the newest of the packets was sent.
    pub bytes: f64,
    /// Bytes per second.
    pub rate: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// In the order of sending.
    under_way: VecDeque<Sent>,
    delivered_bytes: f64,
    /// When the last acknowledgement came, and when its packet was sent; none before the first.
    last: Option<(f64, f64)>,
}

impl Rates {
    pub fn on_sent(&mut self, at_ms: f64, number: u64) {
        let delivered_bytes = self.delivered_bytes;
        // what is sent after silence does not follow an acknowledgement
        let last = self.last.filter(|_| !self.under_way.is_empty());
        let (delivered_ms, delivered_sent_ms) = last.unwrap_or((at_ms, at_ms));
        self.under_way.push_back(Sent { at_ms, number, delivered_bytes, delivered_ms, delivered_sent_ms });
    }

    /// The newest of the acknowledged packets was sent at `sent_ms` and has this number. There is no sample if it was sent before
    /// another that was acknowledged earlier.
    pub fn on_acked(&mut self, now_ms: f64, sent_ms: f64, number: u64, bytes: f64) -> Option<Sample> {
        self.delivered_bytes += bytes;
        let mut newest = None;
        while let Some(&packet) = self.under_way.front().filter(|packet| packet.at_ms <= sent_ms) {
            self.under_way.pop_front();
            if packet.number == number && packet.at_ms == sent_ms {
                newest = Some(packet);
                break;
            }
        }
        let packet = newest?;
        self.last = Some((now_ms, sent_ms));
        let elapsed_ms = (now_ms - packet.delivered_ms).max(sent_ms - packet.delivered_sent_ms);
        let delivered_bytes = self.delivered_bytes - packet.delivered_bytes;
        (elapsed_ms > 0.0).then(|| Sample { bytes: delivered_bytes, rate: 1000.0 * delivered_bytes / elapsed_ms })
    }
}
