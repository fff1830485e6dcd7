//! Default or competitive: how much delay counts against rate.
//!
//! Source: NSDI 2018, section 2.2. In competition 1 / delta grows by 1 in a round trip and is halved by a loss, once in a round trip;
//! delta is never more than in the default mode.

#[derive(Clone, Debug)]
pub struct Mode {
    default_delta: f64,
    may_compete: bool,
    delta: f64,
    is_competitive: bool,
    grown_ms: f64,
    halved_ms: f64,
}

impl Mode {
    pub fn new(delta: f64, may_compete: bool) -> Mode {
        Mode {
            default_delta: delta,
            may_compete,
            delta,
            is_competitive: false,
            grown_ms: f64::NEG_INFINITY,
            halved_ms: f64::NEG_INFINITY,
        }
    }

    pub fn delta(&self) -> f64 {
        self.delta
    }

    pub fn is_competitive(&self) -> bool {
        self.is_competitive
    }

    /// With every acknowledgement: whether the queue was nearly empty of late, and whether packets have been lost since the last.
    pub fn update(&mut self, is_nearly_empty: bool, has_loss: bool, now_ms: f64, rtt_ms: f64) {
        if !self.may_compete {
            return;
        }
        if is_nearly_empty {
            self.is_competitive = false;
            self.delta = self.default_delta;
            return;
        }
        if !self.is_competitive {
            self.grown_ms = now_ms;
        }
        self.is_competitive = true;
        if has_loss && now_ms - self.halved_ms >= rtt_ms {
            self.delta = (2.0 * self.delta).min(self.default_delta);
            self.halved_ms = now_ms;
            self.grown_ms = now_ms;
        } else if now_ms - self.grown_ms >= rtt_ms {
            self.delta = 1.0 / (1.0 / self.delta + 1.0);
            self.grown_ms = now_ms;
        }
    }
}
