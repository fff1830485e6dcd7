//! One JSON line for every so often, and one at the end. Counters grow from the start; times are Unix time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use coexist_quic::report::members;
use noq::PathId;

use crate::carriage::{Carriage, watched};
use crate::flows::Flows;

pub struct Report {
    start: Instant,
    start_unix: Duration,
    /// Of the connection, as it was when it could still be asked.
    last: String,
}

impl Report {
    pub fn new() -> Report {
        Report {
            start: Instant::now(),
            start_unix: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
            last: String::new(),
        }
    }

    /// Before there is a connection.
    pub fn waiting(&self) -> String {
        format!("{{\"timeMs\":{:.3},\"state\":\"waiting\"}}\n", self.time_ms())
    }

    pub fn connected(&mut self, carriage: &Carriage, flows: &Flows) -> String {
        self.line("\"connected\"", carriage, flows)
    }

    pub fn ended(&mut self, why: &str, carriage: &Carriage, flows: &Flows) -> String {
        self.line(&format!("\"ended\",\"why\":\"{why}\""), carriage, flows)
    }

    fn line(&mut self, state: &str, carriage: &Carriage, flows: &Flows) -> String {
        if let Some(connection) = connection(carriage) {
            self.last = connection;
        }
        let counters = &carriage.counters;
        format!(
            "{{\"timeMs\":{:.3},\"state\":{state},\"stack\":\"noq\",\"mode\":\"{}\",{}\"packetsIn\":{},\"bytesIn\":{},\"tooLargePackets\":{},\
             \"droppedPackets\":{},\"refusedPackets\":{},\"packetsOut\":{},\"bytesOut\":{},\"undeliveredPackets\":{},\"badFrames\":{},\"flows\":{},\
             \"cpuMs\":{}}}\n",
            self.time_ms(),
            carriage.mode.name(),
            self.last,
            counters.packets_in.get(),
            counters.bytes_in.get(),
            counters.too_large_packets.get(),
            counters.dropped_packets.get(),
            counters.refused_packets.get(),
            counters.packets_out.get(),
            counters.bytes_out.get(),
            counters.undelivered_packets.get(),
            counters.bad_frames.get(),
            flows.count(),
            cpu_ms().map_or(String::from("null"), |ms| format!("{ms:.3}")),
        )
    }

    fn time_ms(&self) -> f64 {
        (self.start_unix + self.start.elapsed()).as_secs_f64() * 1e3
    }
}

impl Default for Report {
    fn default() -> Report {
        Report::new()
    }
}

/// Members of the object, each with its comma; none where the connection has lost its path.
fn connection(carriage: &Carriage) -> Option<String> {
    let (members, stats) = (members(&carriage.connection)?, carriage.connection.path_stats(PathId::ZERO)?);
    let watched = watched(&carriage.connection)?;
    let account = watched.account();
    let pacing_bps = watched.into_control().metrics().pacing_rate.map(|bytes| 8 * bytes);
    Some(format!(
        "{members},\"minRttMs\":{},\"bytesInFlight\":{},\"ackedBytes\":{},\"pacingBps\":{},\"bandwidthEstimateBps\":{},\"spuriousCongestionEvents\":{},\
         \"receivedBytes\":{},\"datagramFramesSent\":{},\"streamFramesSent\":{},\"queuedBytes\":{},\"mostPayloadBytes\":{},",
        account.min_rtt.map_or(String::from("null"), |rtt| format!("{:.3}", rtt.as_secs_f64() * 1e3)),
        account.in_flight_bytes,
        account.acked_bytes,
        optional(pacing_bps),
        optional(stats.bandwidth_estimate),
        stats.spurious_congestion_events,
        stats.udp_rx.bytes,
        stats.frame_tx.datagram,
        stats.frame_tx.stream,
        carriage.queued_bytes(),
        carriage.most_payload_bytes(),
    ))
}

fn optional(number: Option<u64>) -> String {
    number.map_or(String::from("null"), |number| number.to_string())
}

/// Processor time of this program, whose work is all done by its first thread (proc(5), schedstat); none where the kernel does not tell.
fn cpu_ms() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    told.split(' ').next()?.parse::<f64>().ok().map(|ns| ns / 1e6)
}
