//! A simulated bottleneck with real connections of noq over it. Time is simulated: pacing, acknowledgements and loss
//! detection are noq's own, and a run takes seconds of the processor, not of a clock.
//!
//! Data goes from each server to its client in DATAGRAM frames. All of it passes one FIFO queue with a limit in time;
//! acknowledgements have a delay only.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use coexist_quic::control::Control;

use crate::end::{End, pair};

/// Time between two frames.
const TICK_MS: f64 = 1000.0 / 30.0;
/// Overhead of IP and UDP of a packet on the link, bytes.
const HEADER_BYTES: usize = 28;

#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub rate_bps: f64,
    /// Round trip without a queue, half of it in each direction.
    pub rtt_ms: f64,
    /// Longest time that a packet may wait; what would wait for longer is dropped.
    pub queue_ms: f64,
    /// Bound of a random delay after the queue. Packets keep their order.
    pub jitter_ms: f64,
}

/// What an application hands to its connection.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// As much as the connection takes.
    Bulk,
    /// Frames of this number of packets of 1200 bytes, 30 times a second.
    Frames { packets: usize },
}

#[derive(Clone, Copy, Debug)]
pub struct Flow {
    pub control: Control,
    pub source: Source,
    pub start_ms: f64,
}

/// A packet of the application that arrived, in ms from the start of the run.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub at_ms: f64,
    /// Since the application handed it over.
    pub delay_ms: f64,
    pub bytes: usize,
}

/// What a server put on the link.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    pub at_ms: f64,
    /// In the queue of the link; none where the queue was full.
    pub wait_ms: Option<f64>,
}

#[derive(Debug, Default)]
pub struct Record {
    pub arrivals: Vec<Arrival>,
    pub departures: Vec<Departure>,
    /// Times in ms and pacing rates in bit/s, 30 times a second.
    pub pacing: Vec<(f64, f64)>,
}

impl Record {
    /// Payload in bit/s that arrived from `from_ms` to `to_ms`.
    pub fn goodput_bps(&self, from_ms: f64, to_ms: f64) -> f64 {
        let bytes: usize = self.arrivals.iter().filter(|a| (from_ms..to_ms).contains(&a.at_ms)).map(|a| a.bytes).sum();
        8000.0 * bytes as f64 / (to_ms - from_ms)
    }

    /// Quantile of the packets' delays from `from_ms` on.
    pub fn delay_ms(&self, from_ms: f64, quantile: f64) -> f64 {
        quantile_of(self.arrivals.iter().filter(|a| a.at_ms >= from_ms).map(|a| a.delay_ms).collect(), quantile)
    }

    /// Quantile of the waits in the link's queue from `from_ms` on.
    pub fn wait_ms(&self, from_ms: f64, quantile: f64) -> f64 {
        let waits = self.departures.iter().filter(|d| d.at_ms >= from_ms).filter_map(|d| d.wait_ms);
        quantile_of(waits.collect(), quantile)
    }

    pub fn lost_packets(&self) -> usize {
        self.departures.iter().filter(|d| d.wait_ms.is_none()).count()
    }
}

fn quantile_of(mut values: Vec<f64>, quantile: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * quantile).round() as usize]
}

/// A datagram on its way: when it arrives (ns), its number (for an order among equals), flow, whether to the client.
type UnderWay = Reverse<(u64, u64, usize, bool, Vec<u8>)>;

struct Network {
    link: Link,
    under_way: BinaryHeap<UnderWay>,
    sent: u64,
    /// When the link has sent all that waits, ns.
    free_ns: u64,
    /// Last arrival at each client, ns.
    last_ns: Vec<u64>,
    /// State of a linear congruential generator (Knuth, MMIX).
    random: u64,
}

impl Network {
    fn jitter_ns(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 40) as f64 / (1_u64 << 24) as f64 * self.link.jitter_ms * 1e6) as u64
    }

    fn arrive(&mut self, at_ns: u64, flow: usize, is_to_client: bool, bytes: Vec<u8>) {
        self.sent += 1;
        self.under_way.push(Reverse((at_ns, self.sent, flow, is_to_client, bytes)));
    }

    fn forward(&mut self, now_ns: u64, flow: usize, bytes: Vec<u8>) -> Departure {
        let wait_ns = self.free_ns.saturating_sub(now_ns);
        let length = bytes.len() + HEADER_BYTES;
        let wait_ms = (wait_ns as f64 / 1e6 <= self.link.queue_ms).then_some(wait_ns as f64 / 1e6);
        if wait_ms.is_some() {
            self.free_ns = now_ns + wait_ns + (8e9 * length as f64 / self.link.rate_bps) as u64;
            let there_ns = self.free_ns + (self.link.rtt_ms * 0.5e6) as u64 + self.jitter_ns();
            self.last_ns[flow] = self.last_ns[flow].max(there_ns);
            self.arrive(self.last_ns[flow], flow, true, bytes);
        }
        Departure { at_ms: now_ns as f64 / 1e6, wait_ms }
    }

    fn back(&mut self, now_ns: u64, flow: usize, bytes: Vec<u8>) {
        self.arrive(now_ns + (self.link.rtt_ms * 0.5e6) as u64, flow, false, bytes);
    }
}

/// Runs all flows over the link for `duration_ms`.
pub fn run(link: Link, flows: &[Flow], duration_ms: f64) -> Vec<Record> {
    let epoch = Instant::now();
    let at = |ns: u64| epoch + Duration::from_nanos(ns);
    let mut network =
        Network { link, under_way: BinaryHeap::new(), sent: 0, free_ns: 0, last_ns: vec![0; flows.len()], random: 1 };
    let mut pairs: Vec<(End, End)> = flows.iter().map(|flow| pair(flow.control)).collect();
    let mut records: Vec<Record> = flows.iter().map(|_| Record::default()).collect();
    let mut next_tick_ms: Vec<f64> = flows.iter().map(|flow| flow.start_ms).collect();
    for (pair, flow) in pairs.iter_mut().zip(flows) {
        pair.1.connect(at((flow.start_ms * 1e6) as u64));
    }
    let mut now_ns = 0;
    while now_ns as f64 / 1e6 < duration_ms {
        for (k, (server, client)) in pairs.iter_mut().enumerate() {
            if (flows[k].start_ms * 1e6) as u64 > now_ns {
                continue;
            }
            server.wake(at(now_ns));
            client.wake(at(now_ns));
            while next_tick_ms[k] * 1e6 <= now_ns as f64 {
                records[k].pacing.extend(server.pacing_bps().map(|bps| (now_ns as f64 / 1e6, bps)));
                if let Source::Frames { packets } = flows[k].source {
                    server.send(now_ns, packets);
                }
                next_tick_ms[k] += TICK_MS;
            }
            if let Source::Bulk = flows[k].source {
                server.fill(now_ns);
            }
            for bytes in server.transmit(at(now_ns)) {
                records[k].departures.push(network.forward(now_ns, k, bytes));
            }
            for bytes in client.transmit(at(now_ns)) {
                network.back(now_ns, k, bytes);
            }
        }
        let timers = pairs.iter().flat_map(|(server, client)| [server.wakes_at(), client.wakes_at()]).flatten();
        let ticks = next_tick_ms.iter().map(|&tick_ms| (tick_ms * 1e6).ceil() as u64);
        let arrival = network.under_way.peek().map(|Reverse((ns, ..))| *ns);
        let next = timers.map(|time| time.duration_since(epoch).as_nanos() as u64).chain(ticks).chain(arrival).min();
        now_ns = next.expect("something is to come").max(now_ns + 1);
        while network.under_way.peek().is_some_and(|Reverse((ns, ..))| *ns <= now_ns) {
            let Some(Reverse((_, _, k, is_to_client, bytes))) = network.under_way.pop() else { break };
            let (server, client) = &mut pairs[k];
            if !is_to_client {
                server.take(at(now_ns), &bytes);
                continue;
            }
            client.take(at(now_ns), &bytes);
            records[k].arrivals.extend(client.received().into_iter().map(|(sent_ns, bytes)| Arrival {
                at_ms: now_ns as f64 / 1e6,
                delay_ms: (now_ns - sent_ns) as f64 / 1e6,
                bytes,
            }));
        }
    }
    records
}
