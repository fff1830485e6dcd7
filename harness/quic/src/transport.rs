//! How a connection is set up, whatever it carries.

use noq::TransportConfig;

use crate::control::Control;

/// For QUIC packets in UDP payloads of exactly `udp_payload_bytes`. Path MTU discovery is off: with it, the size would
/// fall with every overflow of a queue.
pub fn transport(control: Control, udp_payload_bytes: u16) -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport.congestion_controller_factory(control.factory());
    // with a network's offloads off nobody would cut what is handed over whole
    transport.enable_segmentation_offload(false);
    transport.initial_mtu(udp_payload_bytes).min_mtu(udp_payload_bytes).mtu_discovery_config(None);
    transport
}
