//! C4, "Christian's Congestion Control Code": a flow keeps the rate that the path has carried and the longest round trip that the
//! path has without a queue, and its window is their product. Every few round trips it tries a little more.
//!
//! Source: draft-huitema-ccwg-c4-spec-04, with "trimming" and "draining" of the editors' copy that follows it, and
//! draft-huitema-ccwg-c4-design. Where the text leaves a choice, and where this differs (also in rates.rs):
//!
//! - An era ends when a packet is acknowledged that was sent in it. A round trip is that of the newest packet that an acknowledgement
//!   tells of, the receiver's delay included.
//! - An era counts as limited by the application unless a sample raised the nominal rate or delivered what the nominal rate sends in
//!   the shortest round trip, or the window was full. The nominal rate is trimmed only if there was always something to send.
//! - In the Initial state the window grows only while at least half of it is in use (RFC 9002, section 7.8).
//! - In the Initial state, the rate has increased in an era if it reached 1.25 of what it was, and by Probing if it reached 65/64: a
//!   quarter of what the coefficient promises.
//! - High jitter leads back to the Initial state once in the life of a connection, as in versions 00 to 03.
//! - Recovery drains with a coefficient of 7/8, as the section on draining has it (the table of coefficients has 3/4).
//! - A rate is measured to a packet in a round trip. In Probing and Pushing the flow sends at least that much more than in Cruising, and
//!   the nominal rate is trimmed only if it is higher by more. Otherwise a rate of few packets in a round trip could only sink.
//! - noq does not tell how many packets were marked by ECN: a report of marks is congestion with a beta of 1/4.
//! - There is no Resuming state: nothing is remembered of an earlier connection. Persistent congestion (RFC 9002, section 7.6) starts
//!   anew with the least window.

mod flow;
mod rates;
mod round_trips;
mod sensitivity;

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use flow::{Acked, Congestion, Flow};
use rates::Rates;

pub struct C4Factory {
    pub initial_window_bytes: u64,
}

impl ControllerFactory for C4Factory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(C4 {
            flow: Flow::new(self.initial_window_bytes as f64, f64::from(current_mtu)),
            rates: Rates::default(),
            initial_window_bytes: self.initial_window_bytes,
            start: now,
            in_flight_bytes: 0,
            most_in_flight_bytes: 0,
            acked_packets: 0,
            acked_bytes: 0,
            newest: None,
            lost_packets: 0,
        })
    }
}

/// C4 behind noq's port for congestion controls.
#[derive(Clone, Debug)]
pub struct C4 {
    flow: Flow,
    rates: Rates,
    initial_window_bytes: u64,
    start: Instant,
    in_flight_bytes: u64,
    /// Since the last acknowledgement, as are the next three.
    most_in_flight_bytes: u64,
    acked_packets: u32,
    acked_bytes: u64,
    /// When the newest acknowledged packet was sent, and its number.
    newest: Option<(Instant, u64)>,
    /// Since the last congestion event.
    lost_packets: u32,
}

impl C4 {
    fn ms(&self, time: Instant) -> f64 {
        time.duration_since(self.start).as_secs_f64() * 1e3
    }
}

impl Controller for C4 {
    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.in_flight_bytes += u64::from(bytes);
        self.most_in_flight_bytes = self.most_in_flight_bytes.max(self.in_flight_bytes);
        self.rates.on_sent(self.ms(now), pn);
    }

    fn on_ack(&mut self, _: Instant, sent: Instant, bytes: u64, pn: u64, _: bool, _: &RttEstimator) {
        self.acked_packets += 1;
        self.acked_bytes += bytes;
        self.newest = self.newest.max(Some((sent, pn)));
    }

    fn on_cwnd_limited(&mut self) {
        self.flow.on_full_window();
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, _: Option<u64>) {
        if let Some((sent, pn)) = self.newest.take() {
            let (now_ms, sent_ms) = (self.ms(now), self.ms(sent));
            let acked_bytes = self.acked_bytes as f64;
            self.flow.on_acked(Acked {
                now_ms,
                sent_ms,
                packets: self.acked_packets,
                bytes: acked_bytes,
                sample: self.rates.on_acked(now_ms, sent_ms, pn, acked_bytes),
                in_flight_bytes: in_flight as f64,
                most_in_flight_bytes: self.most_in_flight_bytes as f64,
                is_idle: app_limited,
            });
        }
        self.acked_packets = 0;
        self.acked_bytes = 0;
        self.in_flight_bytes = in_flight;
        self.most_in_flight_bytes = in_flight;
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, is_persistent: bool, is_ecn: bool, _: u64, _: u64) {
        let (now_ms, sent_ms) = (self.ms(now), self.ms(sent));
        if is_persistent {
            self.flow.on_persistent_congestion(now_ms);
        } else if is_ecn {
            self.flow.on_congestion(now_ms, Congestion::Marks);
        } else {
            self.flow.on_lost(now_ms, sent_ms, self.lost_packets);
        }
        self.lost_packets = 0;
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, _: u64, _: Instant) {
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(u64::from(lost_bytes));
        self.lost_packets += 1;
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.flow.packet_bytes = f64::from(new_mtu);
    }

    fn window(&self) -> u64 {
        self.flow.window_bytes() as u64
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.window();
        if let Some(rate) = self.flow.pacing_rate() {
            metrics.pacing_rate = Some(rate as u64);
            metrics.send_quantum = Some(self.flow.quantum_bytes(rate) as u64);
            metrics.bandwidth_estimate = Some((8.0 * self.flow.nominal_rate()) as u64);
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.initial_window_bytes
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests;
