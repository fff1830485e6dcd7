//! noq's BBRv3 with the pacing of Startup as Linux and the draft have it.
//!
//! Source: draft-ietf-ccwg-bbr, BBRInitPacingRate, BBRSetPacingRateWithGain, BBRSetSendQuantum and BBRHandleProbeRTT; Linux,
//! net/ipv4/tcp_bbr.c, `has_seen_rtt`. noq 1.4.0 (its issue 800) differs in two points, which this wrapper corrects from outside:
//!
//! - The first pacing rate is the initial window in 1 ms, because no round trip is known yet; nothing corrects it with the first one.
//!   In Startup the rate only rises, and an application-limited flow stays in Startup: it is not paced at all.
//! - Samples of ProbeRTT, whose window is four packets, do not count as application-limited. They look like a full pipe and end
//!   Startup with a bandwidth that is too low.
//!
//! noq tells neither its state nor whether the pipe is full. It is in Startup as long as it reports the rate that it began with.
//! What it derives inside from that rate stays: its window is never below its first send quantum (33 kB) in Startup.

use std::sync::Arc;
use std::time::Instant;

use noq::congestion::{Bbr3, Bbr3Config, Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use crate::forwarded::forwarded;

/// BBRStartupPacingGain, 4 ln 2 (draft-ietf-ccwg-bbr, section 2.4).
const STARTUP_PACING_GAIN: f64 = 2.773;
/// BBR.PacingMarginPercent is 1 % (section 2.4).
const PACED_RATIO: f64 = 0.99;
/// The send quantum is what is sent in 1 ms, at least two packets and at most 64 KiB (section 5.6.3).
const QUANTUM_S: f64 = 0.001;
const MOST_QUANTUM_BYTES: u64 = 1 << 16;

pub struct PacedFactory {
    pub initial_window_bytes: u64,
}

impl ControllerFactory for PacedFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let mut config = Bbr3Config::default();
        config.initial_window(self.initial_window_bytes);
        Box::new(PacedBbr3::new(Arc::new(config).build(now, current_mtu), current_mtu))
    }
}

#[derive(Debug)]
pub struct PacedBbr3 {
    bbr: Box<dyn Controller>,
    /// Rate that noq reports in Startup, bytes/s.
    placeholder: Option<u64>,
    /// Rate in Startup, bytes/s; none before the first round trip.
    startup_rate: Option<f64>,
    packet_bytes: u64,
    /// Largest window of Startup, bytes. A smaller one is that of ProbeRTT.
    window_bytes: u64,
    /// When the newest packet was sent that the current acknowledgement is about.
    newest_sent: Option<Instant>,
}

impl PacedBbr3 {
    fn new(bbr: Box<dyn Controller>, packet_bytes: u16) -> PacedBbr3 {
        PacedBbr3 {
            placeholder: bbr.metrics().pacing_rate,
            startup_rate: None,
            packet_bytes: packet_bytes.into(),
            window_bytes: bbr.window(),
            newest_sent: None,
            bbr,
        }
    }

    /// Whether it is noq's own.
    pub fn is_bbr3(self) -> bool {
        self.bbr.into_any().is::<Bbr3>()
    }

    fn is_startup(&self) -> bool {
        self.placeholder.is_some() && self.bbr.metrics().pacing_rate == self.placeholder
    }

    /// The first round trip sets the rate, and the estimated bandwidth raises it.
    fn update_startup_rate(&mut self, now: Instant, sent: Instant) {
        let round_trip_s = now.duration_since(sent).as_secs_f64();
        if round_trip_s <= 0.0 {
            return;
        }
        let first = || STARTUP_PACING_GAIN * self.bbr.initial_window() as f64 / round_trip_s;
        let rate = self.startup_rate.unwrap_or_else(first);
        let bandwidth = self.bbr.metrics().bandwidth_estimate.unwrap_or(0) as f64 / 8.0;
        self.startup_rate = Some(rate.max(STARTUP_PACING_GAIN * PACED_RATIO * bandwidth));
    }
}

impl Controller for PacedBbr3 {
    forwarded!(bbr);

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.bbr.on_packet_sent(now, bytes, pn);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, pn: u64, app_limited: bool, rtt: &RttEstimator) {
        self.newest_sent = self.newest_sent.max(Some(sent));
        self.bbr.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest_packet_num_acked: Option<u64>) {
        let is_probe_rtt = self.is_startup() && self.bbr.window() < self.window_bytes;
        self.window_bytes = self.window_bytes.max(self.bbr.window());
        let is_limited = app_limited || is_probe_rtt;
        self.bbr.on_end_acks(now, in_flight, is_limited, largest_packet_num_acked);
        if is_limited {
            // the first call may only have ended the mark of an earlier phase; the second sets it, and is without effect otherwise
            self.bbr.on_end_acks(now, in_flight, is_limited, largest_packet_num_acked);
        }
        if let Some(sent) = self.newest_sent.take() {
            self.update_startup_rate(now, sent);
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        self.bbr.on_congestion_event(now, sent, is_persistent, is_ecn, lost_bytes, largest_lost_pn);
        if is_persistent {
            self.window_bytes = self.bbr.window();
        }
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.bbr.on_packet_lost(lost_bytes, pn, now);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.packet_bytes = new_mtu.into();
        self.bbr.on_mtu_update(new_mtu);
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = self.bbr.metrics();
        if let Some(rate) = self.startup_rate.filter(|_| self.is_startup()) {
            metrics.pacing_rate = Some(rate as u64);
            let most = MOST_QUANTUM_BYTES.max(2 * self.packet_bytes);
            metrics.send_quantum = Some(((rate * QUANTUM_S) as u64).clamp(2 * self.packet_bytes, most));
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(PacedBbr3 { bbr: self.bbr.clone_box(), ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn paced() -> (PacedBbr3, Instant) {
        let now = Instant::now();
        let control = Arc::new(PacedFactory { initial_window_bytes: 14_720 }).build(now, 1472);
        (*control.into_any().downcast::<PacedBbr3>().unwrap(), now)
    }

    #[test]
    fn the_first_round_trip_sets_the_rate_and_the_quantum() {
        let (mut paced, now) = paced();
        // 2.773 x 14720 bytes in 1 ms
        assert_eq!(paced.metrics().pacing_rate, Some(40_818_560));
        paced.newest_sent = Some(now);
        paced.on_end_acks(now + Duration::from_millis(40), 0, false, Some(0));
        assert_eq!((paced.metrics().pacing_rate, paced.metrics().send_quantum), (Some(1_020_464), Some(2944)));
        // later ones do not
        paced.newest_sent = Some(now);
        paced.on_end_acks(now + Duration::from_millis(400), 0, false, Some(1));
        assert_eq!(paced.clone_box().metrics().pacing_rate, Some(1_020_464));
        assert_eq!((paced.window(), paced.initial_window()), (14_720, 14_720));
        assert!(paced.is_bbr3());
    }

    #[test]
    fn an_acknowledgement_in_no_time_tells_no_rate() {
        let (mut paced, now) = paced();
        paced.newest_sent = Some(now);
        paced.on_end_acks(now, 0, false, Some(0));
        assert_eq!(paced.metrics().pacing_rate, Some(40_818_560));
    }
}
