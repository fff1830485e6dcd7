//! Congestion control "none": nothing holds the sender back, neither a window nor a pace.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use noq::congestion::{Controller, ControllerFactory};

/// Bytes. Beyond 4 GiB noq's pacer stands aside as well.
const WINDOW_BYTES: u64 = 1 << 40;

#[derive(Clone, Debug)]
pub struct Unlimited;

impl ControllerFactory for Unlimited {
    fn build(self: Arc<Self>, _: Instant, _: u16) -> Box<dyn Controller> {
        Box::new(Unlimited)
    }
}

impl Controller for Unlimited {
    fn on_congestion_event(&mut self, _: Instant, _: Instant, _: bool, _: bool, _: u64, _: u64) {}

    fn on_mtu_update(&mut self, _: u16) {}

    fn window(&self) -> u64 {
        WINDOW_BYTES
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        WINDOW_BYTES
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_change_nothing() {
        let mut control = Unlimited;
        control.on_congestion_event(Instant::now(), Instant::now(), true, true, 1 << 20, 9);
        assert_eq!(control.window(), WINDOW_BYTES);
        assert!(control.metrics().pacing_rate.is_none() && control.window() > u64::from(u32::MAX));
    }
}
