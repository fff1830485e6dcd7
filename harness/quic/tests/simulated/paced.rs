//! The pacing of noq's BBRv3, as shipped and as corrected.

use coexist_quic::control::Control;

use crate::link::{Flow, Link, Record, Source, run};

/// Rate of the initial window in 1 ms, times the gain of Startup: 2.773 x 14720 bytes.
const PLACEHOLDER_BPS: f64 = 326_548_480.0;

fn flow(control: Control, source: Source) -> [Flow; 1] {
    [Flow { control, source, start_ms: 0.0 }]
}

fn link(rate_bps: f64, rtt_ms: f64) -> Link {
    Link { rate_bps, rtt_ms, queue_ms: 400.0, jitter_ms: 0.0 }
}

fn one(link: Link, control: Control, source: Source, duration_ms: f64) -> Record {
    run(link, &flow(control, source), duration_ms).remove(0)
}

/// Longest time from the first to the last packet of a frame, from `from_ms` on.
fn longest_frame_ms(record: &Record, from_ms: f64) -> f64 {
    let times: Vec<f64> = record.departures.iter().map(|departure| departure.at_ms).collect();
    let frames = record.pacing.windows(2).filter(|ticks| ticks[0].0 >= from_ms);
    let spans = frames.filter_map(|ticks| {
        let mut frame = times.iter().filter(|time| (ticks[0].0..ticks[1].0).contains(*time));
        Some(frame.next_back()? - times.iter().find(|time| **time >= ticks[0].0)?)
    });
    spans.fold(0.0, f64::max)
}

#[test]
fn as_shipped_a_flow_that_its_application_limits_is_not_paced() {
    let record = one(link(10e6, 50.0), Control::Bbr3, Source::Frames { packets: 24 }, 3000.0);
    assert!(record.pacing.iter().all(|&(_, bps)| bps == PLACEHOLDER_BPS), "{:?}", record.pacing);
    let span_ms = longest_frame_ms(&record, 1000.0);
    assert!(span_ms < 1.0, "a frame took {span_ms} ms");
}

#[test]
fn paced_from_the_first_round_trip_and_then_by_the_bandwidth() {
    let record = one(link(10e6, 50.0), Control::PacedBbr3, Source::Frames { packets: 24 }, 3000.0);
    let known: Vec<f64> = record.pacing.iter().filter(|tick| tick.0 > 150.0).map(|tick| tick.1).collect();
    // at first 2.773 initial windows in a round trip of about 52 ms, then 2.745 times what the link carries
    assert!(known.iter().all(|bps| (6e6..27.5e6).contains(bps)), "{known:?}");
    assert!(known.windows(2).all(|rates| rates[1] >= rates[0]), "{known:?}");
    assert!(*known.last().unwrap() > 24e6, "{known:?}");
    // ten packets at once, and fourteen of 1260 bytes at 27 Mbit/s
    let span_ms = longest_frame_ms(&record, 1000.0);
    assert!((3.0..12.0).contains(&span_ms), "a frame took {span_ms} ms");
}

#[test]
fn neither_pauses_of_the_application_nor_probe_rtt_end_its_startup() {
    for rtt_ms in [2.0, 25.0, 50.0, 100.0] {
        for packets in [2, 4] {
            let record = one(link(2.5e6, rtt_ms), Control::PacedBbr3, Source::Frames { packets }, 15_000.0);
            let known: Vec<f64> = record.pacing.iter().filter(|tick| tick.0 > 500.0).map(|tick| tick.1).collect();
            let source_bps = 30.0 * 8.0 * 1234.0 * packets as f64;
            let place = format!("{packets} packets at {rtt_ms} ms");
            assert!(known.windows(2).all(|rates| rates[1] >= rates[0]), "{place}: {known:?}");
            assert!(known[0] > 2.0 * source_bps && known[0] < 0.5 * PLACEHOLDER_BPS, "{place}: {known:?}");
            // ProbeRTT with its four packets delays one in twenty
            let delay_ms = record.delay_ms(2000.0, 0.9);
            assert!(delay_ms < rtt_ms / 2.0 + 50.0, "{place}: {delay_ms} ms");
            assert_eq!(record.lost_packets(), 0);
        }
    }
}

#[test]
fn a_flow_that_fills_the_link_leaves_startup_and_has_the_rates_of_noq() {
    for control in [Control::Bbr3, Control::PacedBbr3] {
        let record = one(link(5e6, 50.0), control, Source::Bulk, 10_000.0);
        let goodput_bps = record.goodput_bps(2000.0, 10_000.0);
        assert!(goodput_bps > 4e6, "{control:?}: {goodput_bps} bit/s");
        let later = record.pacing.iter().filter(|tick| tick.0 > 2000.0);
        // 1.25 times the bandwidth at most
        later.for_each(|&(ms, bps)| assert!((2e6..7e6).contains(&bps), "{control:?}: {bps} bit/s at {ms} ms"));
    }
}
