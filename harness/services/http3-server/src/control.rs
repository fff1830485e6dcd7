//! The congestion controls that noq has, by noq's names: chosen for connections to come, and read back from one that is there.

use std::sync::Arc;

use noq::congestion::{Bbr3, Bbr3Config, Controller, ControllerFactory, Cubic, CubicConfig, NewReno, NewRenoConfig};

/// Ten packets (RFC 9002, section 7.2) for all of them.
const INITIAL_WINDOW_BYTES: u64 = 14_720;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    Bbr3,
    Cubic,
    NewReno,
}

impl Control {
    pub const ALL: [Control; 3] = [Control::Bbr3, Control::Cubic, Control::NewReno];

    pub fn name(self) -> &'static str {
        match self {
            Control::Bbr3 => "bbr3",
            Control::Cubic => "cubic",
            Control::NewReno => "newreno",
        }
    }

    pub fn named(name: &str) -> Option<Control> {
        Control::ALL.into_iter().find(|control| control.name() == name)
    }

    /// What a connection of it starts with.
    pub fn factory(self) -> Arc<dyn ControllerFactory + Send + Sync> {
        match self {
            Control::Bbr3 => {
                let mut config = Bbr3Config::default();
                config.initial_window(INITIAL_WINDOW_BYTES);
                Arc::new(config)
            }
            Control::Cubic => {
                let mut config = CubicConfig::default();
                config.initial_window(INITIAL_WINDOW_BYTES);
                Arc::new(config)
            }
            Control::NewReno => {
                let mut config = NewRenoConfig::default();
                config.initial_window(INITIAL_WINDOW_BYTES);
                Arc::new(config)
            }
        }
    }

    /// Which one a connection really has: the type of its state, whatever was asked for.
    pub fn of(state: Box<dyn Controller>) -> Option<Control> {
        let state = state.into_any();
        if state.is::<Bbr3>() {
            Some(Control::Bbr3)
        } else if state.is::<Cubic>() {
            Some(Control::Cubic)
        } else if state.is::<NewReno>() {
            Some(Control::NewReno)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn what_is_asked_for_by_name_is_what_a_connection_gets() {
        for control in Control::ALL {
            assert_eq!(Control::named(control.name()), Some(control));
            let state = control.factory().build(Instant::now(), 1200);
            assert_eq!(state.initial_window(), INITIAL_WINDOW_BYTES);
            assert_eq!(Control::of(state), Some(control));
        }
        assert_eq!(Control::named("reno"), None);
    }
}
