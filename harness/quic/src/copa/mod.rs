//! Copa: the window moves towards the rate 1 / (delta x queue delay), packets per second, so that a flow alone keeps about 1 / delta
//! packets in the queue; where another flow never lets the queue empty, delta changes with losses as TCP's window does.
//!
//! Source: Arun and Balakrishnan, "Copa: Practical Delay-Based Congestion Control for the Internet", NSDI 2018, section 2. The same
//! for media is server/congestion/copa; tests/golden/copa.json holds both to the same answers.
//! A round trip is that of the newest packet that an acknowledgement tells of, the receiver's delay included.

pub mod extreme;
pub mod mode;
pub mod round_trips;
pub mod velocity;
pub mod window;

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use window::{Acked, Window};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Weight of delay against rate: a flow alone keeps 1 / delta packets in the queue.
    pub delta: f64,
    /// Compete where the queue never empties.
    pub competitive: bool,
}

impl Default for Params {
    /// The paper's.
    fn default() -> Params {
        Params { delta: 0.5, competitive: true }
    }
}

pub struct CopaFactory {
    pub params: Params,
    pub initial_window_bytes: u64,
}

impl ControllerFactory for CopaFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let packet_bytes = f64::from(current_mtu);
        Box::new(Copa {
            window: Window::new(self.params, self.initial_window_bytes as f64 / packet_bytes),
            initial_window_bytes: self.initial_window_bytes,
            packet_bytes,
            start: now,
            in_flight_bytes: 0,
            most_in_flight_bytes: 0,
            acked_bytes: 0,
            newest_sent: None,
            has_loss: false,
        })
    }
}

/// Copa behind noq's port for congestion controls.
#[derive(Clone, Debug)]
pub struct Copa {
    window: Window,
    initial_window_bytes: u64,
    packet_bytes: f64,
    start: Instant,
    in_flight_bytes: u64,
    /// Since the last acknowledgement, as are the next three.
    most_in_flight_bytes: u64,
    acked_bytes: u64,
    newest_sent: Option<Instant>,
    has_loss: bool,
}

impl Controller for Copa {
    fn on_packet_sent(&mut self, _: Instant, bytes: u16, _: u64) {
        self.in_flight_bytes += u64::from(bytes);
        self.most_in_flight_bytes = self.most_in_flight_bytes.max(self.in_flight_bytes);
    }

    fn on_ack(&mut self, _: Instant, sent: Instant, bytes: u64, _: u64, _: bool, _: &RttEstimator) {
        self.acked_bytes += bytes;
        self.newest_sent = self.newest_sent.max(Some(sent));
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, _: bool, _: Option<u64>) {
        if let Some(sent) = self.newest_sent.take() {
            self.window.on_acked(Acked {
                now_ms: now.duration_since(self.start).as_secs_f64() * 1e3,
                rtt_ms: now.duration_since(sent).as_secs_f64() * 1e3,
                packets: self.acked_bytes as f64 / self.packet_bytes,
                most_in_flight_packets: self.most_in_flight_bytes as f64 / self.packet_bytes,
                has_loss: self.has_loss,
            });
            self.has_loss = false;
        }
        self.acked_bytes = 0;
        self.in_flight_bytes = in_flight;
        self.most_in_flight_bytes = in_flight;
    }

    fn on_congestion_event(&mut self, _: Instant, _: Instant, is_persistent: bool, _: bool, _: u64, _: u64) {
        self.has_loss = true;
        if is_persistent {
            self.window.on_persistent_congestion();
        }
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, _: u64, _: Instant) {
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(u64::from(lost_bytes));
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.packet_bytes = f64::from(new_mtu);
    }

    fn window(&self) -> u64 {
        (self.window.packets() * self.packet_bytes) as u64
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.window();
        metrics.pacing_rate = self.window.pacing_packets().map(|packets| (packets * self.packet_bytes) as u64);
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
