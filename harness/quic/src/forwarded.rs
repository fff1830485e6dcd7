//! Methods that a wrapper of a congestion control leaves to the control inside.

/// Writes the methods of `Controller` to which no wrapper adds anything. `$control`: the field with the control inside.
macro_rules! forwarded {
    ($control:ident) => {
        fn on_sent(&mut self, now: std::time::Instant, bytes: u64, largest_pn: u64) {
            self.$control.on_sent(now, bytes, largest_pn);
        }

        fn on_cwnd_limited(&mut self) {
            self.$control.on_cwnd_limited();
        }

        fn on_spurious_congestion_event(&mut self) {
            self.$control.on_spurious_congestion_event();
        }

        fn on_ack_frequency_update(
            &mut self,
            ack_eliciting_threshold: u64,
            requested_max_ack_delay: std::time::Duration,
        ) {
            self.$control.on_ack_frequency_update(ack_eliciting_threshold, requested_max_ack_delay);
        }

        fn window(&self) -> u64 {
            self.$control.window()
        }

        fn initial_window(&self) -> u64 {
            self.$control.initial_window()
        }

        fn into_any(self: Box<Self>) -> Box<dyn std::any::Any> {
            self
        }
    };
}
pub(crate) use forwarded;
