//! The window: order of work on an acknowledgement, slow start, and where the window goes.
//!
//! Source: NSDI 2018, section 2.1. Slow start doubles the window once in a round trip, as mvfst does. The window counts in packets of
//! one size, and two of them are the least (RFC 9002, section 7.2). A window that is not used does not grow (RFC 9002, section 7.8;
//! RFC 7661, section 4.1: used is at least half of it).

use super::Params;
use super::mode::Mode;
use super::round_trips::RoundTrips;
use super::velocity::{Direction, Velocity};

pub const LEAST_PACKETS: f64 = 2.0;
const USED_RATIO: f64 = 0.5;
/// Pacing rate over window / standing round trip (2.1).
const PACING_FACTOR: f64 = 2.0;

/// What an acknowledgement tells.
#[derive(Clone, Copy, Debug)]
pub struct Acked {
    pub now_ms: f64,
    /// Of the newest packet among them.
    pub rtt_ms: f64,
    pub packets: f64,
    /// Most that was in flight since the acknowledgement before.
    pub most_in_flight_packets: f64,
    /// Packets have been found lost since the acknowledgement before.
    pub has_loss: bool,
}

#[derive(Clone, Debug)]
pub struct Window {
    packets: f64,
    round_trips: RoundTrips,
    velocity: Velocity,
    mode: Mode,
    is_slow_start: bool,
    doubled_ms: f64,
}

impl Window {
    pub fn new(Params { delta, competitive }: Params, packets: f64) -> Window {
        Window {
            packets,
            round_trips: RoundTrips::default(),
            velocity: Velocity::default(),
            mode: Mode::new(delta, competitive),
            is_slow_start: true,
            doubled_ms: f64::NEG_INFINITY,
        }
    }

    pub fn packets(&self) -> f64 {
        self.packets
    }

    /// Packets per second; none before the first acknowledgement.
    pub fn pacing_packets(&self) -> Option<f64> {
        let standing_ms = self.round_trips.standing_ms();
        (standing_ms > 0.0).then(|| PACING_FACTOR * self.packets * 1000.0 / standing_ms)
    }

    pub fn delta(&self) -> f64 {
        self.mode.delta()
    }

    pub fn velocity(&self) -> f64 {
        self.velocity.value()
    }

    pub fn mode(&self) -> &'static str {
        if self.is_slow_start {
            "slow-start"
        } else if self.mode.is_competitive() {
            "competitive"
        } else {
            "default"
        }
    }

    pub fn on_acked(&mut self, acked: Acked) {
        self.round_trips.add(acked.rtt_ms, acked.now_ms);
        let rtt_ms = self.round_trips.smoothed_ms();
        if !self.is_slow_start {
            self.mode.update(self.round_trips.is_nearly_empty(), acked.has_loss, acked.now_ms, rtt_ms);
        }
        let direction = if self.is_below_target() { Direction::Up } else { Direction::Down };
        let may_grow = acked.most_in_flight_packets >= USED_RATIO * self.packets;
        if self.is_slow_start && direction == Direction::Up {
            if may_grow && acked.now_ms - self.doubled_ms >= rtt_ms {
                self.doubled_ms = acked.now_ms;
                self.packets *= 2.0;
            }
            return;
        }
        self.is_slow_start = false;
        self.velocity.update(direction, self.packets, self.mode.delta(), acked.now_ms, rtt_ms);
        let step = self.velocity.value() / (self.mode.delta() * self.packets) * acked.packets;
        match direction {
            Direction::Down => self.packets = (self.packets - step).max(LEAST_PACKETS),
            Direction::Up if may_grow => self.packets += step,
            Direction::Up => {}
        }
    }

    /// Nothing has arrived for so long that what was known of the path holds no more (RFC 9002, section 7.6).
    pub fn on_persistent_congestion(&mut self) {
        self.packets = LEAST_PACKETS;
        self.velocity = Velocity::default();
        self.is_slow_start = true;
        self.doubled_ms = f64::NEG_INFINITY;
    }

    /// Rate: window / standing round trip. Target: 1 / (delta x queue delay); without a queue there is none.
    fn is_below_target(&self) -> bool {
        let queue_ms = self.round_trips.standing_ms() - self.round_trips.min_ms();
        queue_ms <= 0.0 || self.packets / self.round_trips.standing_ms() <= 1.0 / (self.mode.delta() * queue_ms)
    }
}
