//! What this program can, as JSON, for whoever makes a plan.

use coexist_quic::control::Control;
use coexist_quic::version::locked;

pub fn caps() -> String {
    let controls: Vec<String> = Control::ALL.iter().map(|control| format!("\"{}\"", control.name())).collect();
    format!(
        "{{\"program\":\"coexist-tunnel-noq\",\"version\":\"{}\",\"stack\":\"noq\",\"stackVersion\":\"{}\",\
         \"modes\":[\"datagram\",\"stream\"],\"congestionControls\":[{}],\"qlog\":true}}",
        env!("CARGO_PKG_VERSION"),
        locked("noq"),
        controls.join(","),
    )
}
