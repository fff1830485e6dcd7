//! States, rate and window of a flow ("States and transitions", "Handling of congestion signals").

use super::rates::Sample;
use super::round_trips::RoundTrips;
use super::sensitivity::{delay_threshold_ms, loss_threshold};

/// Least pacing rate of the Initial state, bytes per second.
const LEAST_INITIAL_RATE: f64 = 131_072.0;
/// What is added to the nominal max RTT for the window, outside of the Initial state: a quarter of it, at most this.
const MOST_MARGIN_MS: f64 = 15.0;
/// The quantum is what is sent in this time, at least two packets and at most 64 KiB.
const QUANTUM_MS: f64 = 4.0;
const MOST_QUANTUM_BYTES: f64 = 65_536.0;
/// Eras without an increase that end the Initial state.
const STEADY_ERAS: u32 = 3;
/// What the rate must gain in an era of the Initial state, and in one of the Pushing state.
const INITIAL_GAIN: f64 = 1.25;
/// What it must gain by Probing: a quarter of what a coefficient of 17/16 promises.
const PROBING_GAIN: f64 = 65.0 / 64.0;
const PUSHING_GAIN: f64 = 19.0 / 16.0;
/// Packets that must have arrived before a loss ends the Initial state.
const PACKETS_BEFORE_LOSS: u32 = 20;
const CRUISING_ERAS: u32 = 2;
/// Eras of the Pushing state after which the flow returns to the Initial state.
const PUSHING_ERAS: u32 = 3;
/// Largest decrease on congestion.
const MOST_BETA: f64 = 0.25;
/// Weight of a packet in the smoothed loss rate.
const LOSS_WEIGHT: f64 = 1.0 / 16.0;
/// Shortest round trip over nominal max RTT that is high jitter.
const JITTER_RATIO: f64 = 0.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Initial,
    Recovery,
    Cruising,
    Probing,
    Pushing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Congestion {
    /// How many thresholds a round trip is longer than it may be.
    Delay(f64),
    Losses,
    Marks,
}

impl Congestion {
    /// Share of the rate that is given up.
    fn beta(self) -> f64 {
        match self {
            Congestion::Delay(excess) => excess.min(MOST_BETA),
            Congestion::Losses | Congestion::Marks => MOST_BETA,
        }
    }
}

/// What an acknowledgement tells.
#[derive(Clone, Copy, Debug)]
pub struct Acked {
    pub now_ms: f64,
    /// When the newest packet was sent.
    pub sent_ms: f64,
    pub packets: u32,
    pub bytes: f64,
    pub sample: Option<Sample>,
    pub in_flight_bytes: f64,
    /// Most that was in flight since the acknowledgement before.
    pub most_in_flight_bytes: f64,
    /// There is nothing to send that could be sent.
    pub is_idle: bool,
}

#[derive(Clone, Debug)]
pub struct Flow {
    pub packet_bytes: f64,
    state: State,
    /// Where the flow was before Recovery.
    before: State,
    /// Bytes per second, as are the other rates; 0 before the first sample.
    nominal_rate: f64,
    round_trips: RoundTrips,
    alpha: f64,
    /// Coefficient of the era before.
    alpha_before: f64,
    era_start_ms: f64,
    /// Eras in this state.
    eras: u32,
    /// Window of the Initial state.
    initial_bytes: f64,
    /// Eras of the Initial state without an increase.
    steady_eras: u32,
    acked_packets: u32,
    /// Rate when this cycle, or era of the Initial and Pushing states, began.
    rate_before: f64,
    /// Highest sample since Recovery ended.
    recent_rate: f64,
    /// The rate or the window was used in full since Recovery ended, or in this era of the Initial state.
    is_used: bool,
    /// There was nothing to send at times since Recovery ended.
    has_idled: bool,
    /// Congestion since Recovery ended, or in it.
    is_congested: bool,
    /// Recoveries in a row with congestion.
    congested_recoveries: u32,
    smoothed_loss_ratio: f64,
    has_marks: bool,
    has_restarted: bool,
}

impl Flow {
    pub fn new(initial_bytes: f64, packet_bytes: f64) -> Flow {
        Flow {
            packet_bytes,
            state: State::Initial,
            before: State::Initial,
            nominal_rate: 0.0,
            round_trips: RoundTrips::default(),
            alpha: 2.0,
            alpha_before: 2.0,
            era_start_ms: 0.0,
            eras: 0,
            initial_bytes,
            steady_eras: 0,
            acked_packets: 0,
            rate_before: 0.0,
            recent_rate: 0.0,
            is_used: false,
            has_idled: false,
            is_congested: false,
            congested_recoveries: 0,
            smoothed_loss_ratio: 0.0,
            has_marks: false,
            has_restarted: false,
        }
    }

    #[cfg(test)]
    pub fn state(&self) -> State {
        self.state
    }

    #[cfg(test)]
    pub fn round_trips(&self) -> &RoundTrips {
        &self.round_trips
    }

    pub fn nominal_rate(&self) -> f64 {
        self.nominal_rate
    }

    /// None before the first sample.
    pub fn pacing_rate(&self) -> Option<f64> {
        let rate = self.alpha * self.nominal_rate;
        let least = match self.state {
            State::Initial => LEAST_INITIAL_RATE,
            State::Probing | State::Pushing => self.nominal_rate + self.resolution(),
            State::Recovery | State::Cruising => 0.0,
        };
        (self.nominal_rate > 0.0).then(|| rate.max(least))
    }

    /// A packet in a round trip, bytes per second: smaller differences of rates are not seen.
    fn resolution(&self) -> f64 {
        1000.0 * self.packet_bytes / self.round_trips.nominal_max_ms()
    }

    pub fn quantum_bytes(&self, pacing_rate: f64) -> f64 {
        (pacing_rate * QUANTUM_MS / 1000.0).min(MOST_QUANTUM_BYTES).max(2.0 * self.packet_bytes)
    }

    pub fn window_bytes(&self) -> f64 {
        let max_ms = self.round_trips.nominal_max_ms();
        let window_ms = max_ms + (max_ms / 4.0).min(MOST_MARGIN_MS);
        let cruising_bytes = (self.nominal_rate * window_ms / 1000.0).max(2.0 * self.packet_bytes);
        match self.state {
            State::Initial => self.initial_bytes.max(self.alpha * self.nominal_rate * max_ms / 1000.0),
            State::Probing | State::Pushing => (self.alpha * cruising_bytes).max(cruising_bytes + self.packet_bytes),
            State::Recovery | State::Cruising => self.alpha * cruising_bytes,
        }
        .max(2.0 * self.packet_bytes)
    }

    pub fn on_acked(&mut self, acked: Acked) {
        let rtt_ms = acked.now_ms - acked.sent_ms;
        self.acked_packets += acked.packets;
        self.smoothed_loss_ratio *= (1.0 - LOSS_WEIGHT).powi(acked.packets as i32);
        self.has_idled |= acked.is_idle;
        self.round_trips.add(rtt_ms);
        if let Some(sample) = acked.sample {
            self.add_rate(sample);
        }
        if self.state == State::Initial && acked.most_in_flight_bytes >= 0.5 * self.window_bytes() {
            self.initial_bytes += acked.bytes / 8_f64.powi(self.steady_eras as i32);
        }
        let max_ms = self.round_trips.nominal_max_ms();
        let threshold_ms = delay_threshold_ms(self.nominal_rate, max_ms);
        if rtt_ms > max_ms + threshold_ms {
            let excess = (rtt_ms - max_ms - threshold_ms) / threshold_ms;
            self.on_congestion(acked.now_ms, Congestion::Delay(excess));
        }
        if acked.sent_ms >= self.era_start_ms {
            self.end_era(acked.now_ms, acked.in_flight_bytes);
        }
    }

    /// There was more to send than the window let pass.
    pub fn on_full_window(&mut self) {
        self.is_used = true;
    }

    fn add_rate(&mut self, sample: Sample) {
        self.recent_rate = self.recent_rate.max(sample.rate);
        if sample.bytes >= self.nominal_rate * self.round_trips.running_min_ms() / 1000.0 {
            self.is_used = true;
        }
        // packets of before the decrease would undo it
        let is_frozen = self.state == State::Recovery && self.is_congested;
        if sample.rate > self.nominal_rate && !is_frozen {
            self.nominal_rate = sample.rate;
            self.is_used = true;
        }
    }

    /// Losses that were found by gaps, the newest of the packets sent at `sent_ms`.
    pub fn on_lost(&mut self, now_ms: f64, sent_ms: f64, packets: u32) {
        if self.state == State::Recovery && sent_ms < self.era_start_ms {
            return;
        }
        let kept_ratio = (1.0 - LOSS_WEIGHT).powi(packets as i32);
        self.smoothed_loss_ratio = 1.0 - (1.0 - self.smoothed_loss_ratio) * kept_ratio;
        if self.smoothed_loss_ratio > loss_threshold(self.nominal_rate) {
            self.on_congestion(now_ms, Congestion::Losses);
        }
    }

    pub fn on_congestion(&mut self, now_ms: f64, congestion: Congestion) {
        self.has_marks |= congestion == Congestion::Marks;
        match self.state {
            State::Initial => {
                let may_leave = match congestion {
                    Congestion::Losses => self.acked_packets > PACKETS_BEFORE_LOSS,
                    Congestion::Delay(_) | Congestion::Marks => self.steady_eras >= 2,
                };
                if may_leave && self.nominal_rate > 0.0 {
                    self.leave_initial(now_ms, true);
                }
            }
            State::Recovery => self.is_congested = true,
            State::Cruising => {
                self.is_congested = true;
                self.nominal_rate *= 1.0 - congestion.beta();
                self.enter_recovery(now_ms, false);
            }
            State::Probing | State::Pushing => {
                self.is_congested = true;
                self.enter_recovery(now_ms, self.state == State::Pushing);
            }
        }
    }

    /// Nothing has arrived for so long that what was known of the path holds no more.
    pub fn on_persistent_congestion(&mut self, now_ms: f64) {
        *self = Flow { era_start_ms: now_ms, ..Flow::new(2.0 * self.packet_bytes, self.packet_bytes) };
    }

    fn end_era(&mut self, now_ms: f64, in_flight_bytes: f64) {
        if self.state != State::Initial {
            self.round_trips.end_era(self.alpha_before);
        }
        self.eras += 1;
        match self.state {
            State::Initial => self.end_initial_era(now_ms, in_flight_bytes),
            State::Recovery => self.leave_recovery(now_ms),
            State::Cruising if self.eras >= CRUISING_ERAS && self.is_used => {
                self.enter(State::Probing, if self.has_marks { 33.0 / 32.0 } else { 17.0 / 16.0 }, now_ms);
            }
            State::Cruising => self.start_era(now_ms),
            State::Probing => self.enter_recovery(now_ms, false),
            State::Pushing => self.end_pushing_era(now_ms, in_flight_bytes),
        }
    }

    fn end_initial_era(&mut self, now_ms: f64, in_flight_bytes: f64) {
        if self.nominal_rate >= INITIAL_GAIN * self.rate_before {
            self.steady_eras = 0;
        } else if self.is_used {
            self.steady_eras += 1;
        }
        if self.steady_eras >= STEADY_ERAS {
            let bytes = self.nominal_rate * self.round_trips.running_min_ms() / 1000.0;
            return self.leave_initial(now_ms, in_flight_bytes > bytes);
        }
        self.rate_before = self.nominal_rate;
        self.is_used = false;
        self.start_era(now_ms);
    }

    fn leave_initial(&mut self, now_ms: f64, has_queue: bool) {
        self.round_trips.set_nominal_max(1000.0 * self.initial_bytes / 2.0 / self.nominal_rate);
        self.rate_before = self.nominal_rate;
        self.enter_recovery(now_ms, has_queue);
    }

    /// After the first era, whose samples are of Recovery's packets, the flow stays as long as its rate rises.
    fn end_pushing_era(&mut self, now_ms: f64, in_flight_bytes: f64) {
        if self.eras > 1 && self.nominal_rate < PUSHING_GAIN * self.rate_before {
            let bytes = self.nominal_rate * self.round_trips.nominal_max_ms() / 1000.0;
            return self.enter_recovery(now_ms, in_flight_bytes > bytes);
        }
        if self.eras > PUSHING_ERAS {
            return self.enter_initial(now_ms);
        }
        self.rate_before = self.nominal_rate;
        self.start_era(now_ms);
    }

    fn leave_recovery(&mut self, now_ms: f64) {
        let has_grown = self.nominal_rate >= PROBING_GAIN * self.rate_before;
        let is_success = has_grown && self.before == State::Probing && !self.is_congested;
        if self.is_congested {
            self.congested_recoveries += 1;
            if self.congested_recoveries > 1 && self.recent_rate > 0.0 {
                self.nominal_rate = self.nominal_rate.min(self.recent_rate);
            }
        } else {
            self.congested_recoveries = 0;
            if !has_grown && !self.has_idled && self.nominal_rate > self.recent_rate + self.resolution() {
                self.nominal_rate = (self.nominal_rate + self.recent_rate) / 2.0;
            }
        }
        self.rate_before = self.nominal_rate;
        self.recent_rate = 0.0;
        self.is_used = false;
        self.has_idled = false;
        self.is_congested = false;
        self.smoothed_loss_ratio = 0.0;
        let is_jittery = self.round_trips.running_min_ms() < JITTER_RATIO * self.round_trips.nominal_max_ms();
        if is_success {
            self.enter(State::Pushing, 5.0 / 4.0, now_ms);
        } else if is_jittery && !self.has_restarted {
            self.has_restarted = true;
            self.enter_initial(now_ms);
        } else {
            self.enter(State::Cruising, 1.0, now_ms);
        }
    }

    fn enter_initial(&mut self, now_ms: f64) {
        self.initial_bytes = self.nominal_rate * self.round_trips.nominal_max_ms() / 1000.0;
        self.steady_eras = 0;
        self.acked_packets = 0;
        self.rate_before = self.nominal_rate;
        self.is_used = false;
        self.enter(State::Initial, 2.0, now_ms);
    }

    fn enter_recovery(&mut self, now_ms: f64, has_queue: bool) {
        self.before = self.state;
        self.enter(State::Recovery, if has_queue { 7.0 / 8.0 } else { 15.0 / 16.0 }, now_ms);
    }

    fn enter(&mut self, state: State, alpha: f64, now_ms: f64) {
        self.start_era(now_ms);
        self.state = state;
        self.alpha = alpha;
        self.eras = 0;
    }

    fn start_era(&mut self, now_ms: f64) {
        self.round_trips.start_era();
        self.alpha_before = self.alpha;
        self.era_start_ms = now_ms;
    }
}
