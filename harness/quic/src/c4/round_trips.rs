//! The longest round trip that the path has without a queue, jitter included ("Nominal max RTT"). It is learned from eras whose packets
//! were sent at no more than the nominal rate: what is longer then is not the flow's own queue.

/// What jitter may add to the shortest round trip.
const MOST_JITTER_MS: f64 = 250.0;
/// Weight of what was known, if the new value is not more extreme.
const KEPT_RATIO: f64 = 7.0 / 8.0;
/// Floor, against the jitter of a system's timers ("Nominal max RTT on low latency links").
const LEAST_MS: f64 = 1.0;

#[derive(Clone, Debug, Default)]
pub struct RoundTrips {
    /// Shortest and longest of this era; none before a sample.
    era: Option<(f64, f64)>,
    running_min_ms: f64,
    nominal_max_ms: f64,
}

impl RoundTrips {
    pub fn add(&mut self, rtt_ms: f64) {
        let (least_ms, most_ms) = self.era.unwrap_or((rtt_ms, rtt_ms));
        self.era = Some((least_ms.min(rtt_ms), most_ms.max(rtt_ms)));
        if self.nominal_max_ms == 0.0 {
            self.running_min_ms = rtt_ms;
            self.set_nominal_max(rtt_ms);
        }
        self.running_min_ms = self.running_min_ms.min(rtt_ms);
    }

    /// Forgets the samples of this era.
    pub fn start_era(&mut self) {
        self.era = None;
    }

    /// `alpha`: coefficient of the nominal rate when the packets of this era's samples were sent.
    pub fn end_era(&mut self, alpha: f64) {
        let Some((least_ms, most_ms)) = self.era.take().filter(|_| alpha <= 1.0) else { return };
        if least_ms > self.running_min_ms {
            self.running_min_ms = KEPT_RATIO * self.running_min_ms + (1.0 - KEPT_RATIO) * least_ms;
        }
        let most_ms = most_ms.min(self.running_min_ms + MOST_JITTER_MS);
        self.set_nominal_max(most_ms.max(KEPT_RATIO * self.nominal_max_ms + (1.0 - KEPT_RATIO) * most_ms));
    }

    pub fn set_nominal_max(&mut self, nominal_max_ms: f64) {
        self.nominal_max_ms = nominal_max_ms.max(LEAST_MS);
    }

    /// 0 before the first sample, as is the other.
    pub fn running_min_ms(&self) -> f64 {
        self.running_min_ms
    }

    pub fn nominal_max_ms(&self) -> f64 {
        self.nominal_max_ms
    }
}
