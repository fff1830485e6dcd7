//! What C4 does on a link: alone, beside CUBIC, with jitter, and with an application that sends little.

use coexist_quic::control::Control;

use crate::link::{Flow, Link, Record, Source, run};

fn bulk(control: Control, start_ms: f64) -> Flow {
    Flow { control, source: Source::Bulk, start_ms }
}

fn link(rtt_ms: f64, queue_ms: f64) -> Link {
    Link { rate_bps: 5e6, rtt_ms, queue_ms, jitter_ms: 0.0 }
}

/// Payload that the link carries at most, of packets of 1200 bytes with about 58 bytes of headers.
const MOST_BPS: f64 = 4.77e6;

#[test]
fn alone_it_has_the_full_rate_and_a_short_queue() {
    for rtt_ms in [10.0, 50.0, 100.0] {
        let own = run(link(rtt_ms, 500.0), &[bulk(Control::C4, 0.0)], 15_000.0).remove(0);
        let cubic = run(link(rtt_ms, 500.0), &[bulk(Control::Cubic, 0.0)], 15_000.0).remove(0);
        let (share, wait_ms) = (own.goodput_bps(5000.0, 15_000.0) / MOST_BPS, own.wait_ms(5000.0, 0.95));
        assert!(share > 0.97, "{share} of the rate at {rtt_ms} ms");
        assert_eq!(own.lost_packets(), 0);
        let cubic_ms = cubic.wait_ms(5000.0, 0.95);
        assert!(wait_ms < 120.0 && cubic_ms > 400.0, "{wait_ms} ms beside {cubic_ms} ms of CUBIC, at {rtt_ms} ms");
    }
}

/// Payload rates in Mbit/s of a C4 flow and of another that starts 2 s later, at 50 ms.
fn beside(control: Control, queue_ms: f64) -> (f64, f64) {
    let records = run(link(50.0, queue_ms), &[bulk(Control::C4, 0.0), bulk(control, 2000.0)], 30_000.0);
    let rate = |record: &Record| record.goodput_bps(10_000.0, 30_000.0) / 1e6;
    (rate(&records[0]), rate(&records[1]))
}

/// At 5 Mbit/s its sensitivity is about 0.55: it takes losses of up to a quarter, and CUBIC yields to each.
#[test]
fn beside_cubic_the_queue_decides() {
    let (own, cubic) = beside(Control::Cubic, 50.0);
    assert!(own > 4.0 && cubic < 0.8, "{own} and {cubic} Mbit/s with 50 ms");
    let (own, cubic) = beside(Control::Cubic, 500.0);
    // a longer queue than jitter may explain is congestion
    assert!(own > 0.4 && own < 2.4 && cubic > 2.4, "{own} and {cubic} Mbit/s with 500 ms");
}

#[test]
fn two_of_its_flows_share() {
    let (first, second) = beside(Control::C4, 200.0);
    assert!(first.min(second) > 0.25 * (first + second), "{first} and {second} Mbit/s");
}

#[test]
fn jitter_costs_no_rate_and_adds_the_queue_that_it_may_explain() {
    for jitter_ms in [5.0, 50.0] {
        let record = run(Link { jitter_ms, ..link(20.0, 500.0) }, &[bulk(Control::C4, 0.0)], 15_000.0).remove(0);
        let (share, wait_ms) = (record.goodput_bps(5000.0, 15_000.0) / MOST_BPS, record.wait_ms(5000.0, 0.95));
        assert!(share > 0.97 && wait_ms < 400.0, "{share} of the rate, {wait_ms} ms, with {jitter_ms} ms");
    }
}

#[test]
fn a_flow_that_its_application_limits_keeps_a_rate_that_is_high_enough() {
    for rtt_ms in [2.0, 25.0, 50.0, 100.0] {
        for packets in [1, 2, 3, 4, 6] {
            let flow = Flow { control: Control::C4, source: Source::Frames { packets }, start_ms: 0.0 };
            let link = Link { rate_bps: 2.5e6, ..link(rtt_ms, 400.0) };
            let record = run(link, &[flow], 15_000.0).remove(0);
            let share = record.goodput_bps(2000.0, 15_000.0) / (30.0 * 9600.0 * packets as f64);
            let delay_ms = record.delay_ms(2000.0, 0.95) - rtt_ms / 2.0;
            assert!((0.99..1.01).contains(&share), "{share} of {packets} packets arrived at {rtt_ms} ms");
            assert!(delay_ms < 60.0, "{packets} packets waited {delay_ms} ms at {rtt_ms} ms");
            assert_eq!(record.lost_packets(), 0);
        }
    }
}
