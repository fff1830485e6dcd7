//! How much delay, and how many losses, count as congestion: the faster a flow, the less. That evens out the shares of flows at one
//! bottleneck ("Variable sensitivity" and the sections after it).

/// Corners of the curve: rates in bytes per second, and the sensitivity there.
const CURVE: [(f64, f64); 3] = [(50_000.0, 0.0), (1_000_000.0, 0.92), (10_000_000.0, 1.0)];
const MOST_DELAY_MS: f64 = 25.0;

/// From 0 to 1.
pub fn sensitivity(rate: f64) -> f64 {
    let mut below = CURVE[0];
    for corner in CURVE {
        if rate <= corner.0 {
            let part = if corner.0 > below.0 { (rate - below.0) / (corner.0 - below.0) } else { 0.0 };
            return below.1 + part * (corner.1 - below.1);
        }
        below = corner;
    }
    1.0
}

/// How far above the nominal max RTT a round trip may be; the rate is in bytes per second.
pub fn delay_threshold_ms(rate: f64, nominal_max_ms: f64) -> f64 {
    let part = 1.0 / 16.0 + (1.0 - sensitivity(rate)) * 3.0 / 16.0;
    (part * nominal_max_ms).min(MOST_DELAY_MS)
}

/// Share of packets that may be lost.
pub fn loss_threshold(rate: f64) -> f64 {
    0.02 + 0.5 * (1.0 - sensitivity(rate))
}
