//! Round trips as Copa sees them: minimum, standing, and whether the queue was nearly empty of late.
//!
//! Source: NSDI 2018, sections 2.1 and 2.2. The weight of the smoothed round trip is genericCC's, as in server/congestion/copa.

use super::extreme::WindowedExtreme;

/// The minimum is that of so long (2.1), ms.
const MIN_WINDOW_MS: f64 = 10_000.0;
/// Weight of a new sample in the smoothed round trip (genericCC).
const SMOOTHING: f64 = 1.0 / 16.0;
/// Round trips in which the queue must have been nearly empty, and of which the longest is taken (2.2).
const EMPTY_TRIPS: f64 = 5.0;
const LONGEST_TRIPS: f64 = 4.0;
/// Share of the longest queue delay up to which the queue is nearly empty (2.2).
const NEARLY_EMPTY_RATIO: f64 = 0.1;

#[derive(Clone, Debug)]
pub struct RoundTrips {
    min: WindowedExtreme,
    standing: WindowedExtreme,
    lately: WindowedExtreme,
    longest: WindowedExtreme,
    smoothed_ms: f64,
}

impl Default for RoundTrips {
    fn default() -> RoundTrips {
        RoundTrips {
            min: WindowedExtreme::least(),
            standing: WindowedExtreme::least(),
            lately: WindowedExtreme::least(),
            longest: WindowedExtreme::greatest(),
            smoothed_ms: 0.0,
        }
    }
}

impl RoundTrips {
    /// Takes a sample; times must not go back.
    pub fn add(&mut self, rtt_ms: f64, now_ms: f64) {
        self.smoothed_ms += if self.smoothed_ms == 0.0 { rtt_ms } else { SMOOTHING * (rtt_ms - self.smoothed_ms) };
        self.min.add(rtt_ms, now_ms, MIN_WINDOW_MS);
        self.standing.add(rtt_ms, now_ms, self.smoothed_ms / 2.0);
        self.lately.add(rtt_ms, now_ms, EMPTY_TRIPS * self.smoothed_ms);
        self.longest.add(rtt_ms, now_ms, LONGEST_TRIPS * self.smoothed_ms);
    }

    /// 0 before the first sample, as are the others.
    pub fn min_ms(&self) -> f64 {
        self.min.value().unwrap_or(0.0)
    }

    /// Shortest within half a round trip: the queue that stands, without its jitter.
    pub fn standing_ms(&self) -> f64 {
        self.standing.value().unwrap_or(0.0)
    }

    pub fn smoothed_ms(&self) -> f64 {
        self.smoothed_ms
    }

    /// Whether the queue was nearly empty at least once within the last five round trips: then no flow that fills it is beside.
    pub fn is_nearly_empty(&self) -> bool {
        let longest_ms = self.longest.value().unwrap_or(0.0);
        self.lately.value().unwrap_or(0.0) <= self.min_ms() + NEARLY_EMPTY_RATIO * (longest_ms - self.min_ms())
    }
}
