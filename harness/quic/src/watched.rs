//! Wraps a congestion control and records what noq reports to it and to nobody else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use crate::forwarded::forwarded;

/// Bytes are those of QUIC packets that count as in flight (RFC 9002, section 2). Counters grow from the connection's start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    pub in_flight_bytes: u64,
    pub acked_bytes: u64,
    /// Shortest round trip so far; none before the first acknowledgement.
    pub min_rtt: Option<Duration>,
}

#[derive(Debug)]
pub struct Watched {
    control: Box<dyn Controller>,
    account: Account,
}

impl Watched {
    pub fn new(control: Box<dyn Controller>) -> Watched {
        Watched { control, account: Account::default() }
    }

    pub fn account(&self) -> Account {
        self.account
    }

    /// The control itself.
    pub fn into_control(self) -> Box<dyn Controller> {
        self.control
    }
}

/// Makes watched controls of another factory's.
pub struct WatchedFactory(pub Arc<dyn ControllerFactory + Send + Sync>);

impl ControllerFactory for WatchedFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        Box::new(Watched::new(self.0.clone().build(now, current_mtu)))
    }
}

impl Controller for Watched {
    forwarded!(control);

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.account.in_flight_bytes += u64::from(bytes);
        self.control.on_packet_sent(now, bytes, pn);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, pn: u64, app_limited: bool, rtt: &RttEstimator) {
        self.account.acked_bytes += bytes;
        self.account.min_rtt = Some(rtt.min());
        self.control.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest_packet_num_acked: Option<u64>) {
        self.account.in_flight_bytes = in_flight;
        self.control.on_end_acks(now, in_flight, app_limited, largest_packet_num_acked);
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
        self.control.on_congestion_event(now, sent, is_persistent, is_ecn, lost_bytes, largest_lost_pn);
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.account.in_flight_bytes = self.account.in_flight_bytes.saturating_sub(u64::from(lost_bytes));
        self.control.on_packet_lost(lost_bytes, pn, now);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.control.on_mtu_update(new_mtu);
    }

    fn metrics(&self) -> ControllerMetrics {
        self.control.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Watched { control: self.control.clone_box(), account: self.account })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unlimited::Unlimited;

    #[test]
    fn sent_acknowledged_and_lost_bytes_are_accounted_for() {
        let now = Instant::now();
        let mut watched = Watched::new(Box::new(Unlimited));
        for pn in 0..4 {
            watched.on_packet_sent(now, 1000, pn);
        }
        assert_eq!(watched.account().in_flight_bytes, 4000);
        watched.on_packet_lost(1000, 0, now);
        assert_eq!(watched.account().in_flight_bytes, 3000);
        watched.on_end_acks(now, 500, false, Some(1));
        assert_eq!(watched.account(), Account { in_flight_bytes: 500, ..Account::default() });
        assert!(
            watched.clone_box().into_any().downcast::<Watched>().unwrap().into_control().into_any().is::<Unlimited>()
        );
    }
}
