//! Congestion controls by their names: chosen for connections to come, and read back from one that is there.

use std::sync::Arc;

use noq::congestion::{Bbr3, Bbr3Config, Controller, ControllerFactory, Cubic, CubicConfig, NewReno, NewRenoConfig};

use crate::c4::{C4, C4Factory};
use crate::copa::{Copa, CopaFactory, Params};
use crate::paced::{PacedBbr3, PacedFactory};
use crate::unlimited::Unlimited;
use crate::watched::{Watched, WatchedFactory};

/// Ten packets (RFC 9002, section 7.2) for all that have a window.
const INITIAL_WINDOW_BYTES: u64 = 14_720;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// BBRv3 as noq ships it.
    Bbr3,
    /// noq's BBRv3, paced from the first round trip.
    PacedBbr3,
    Cubic,
    NewReno,
    Copa,
    C4,
    None,
}

impl Control {
    /// Those of noq.
    pub const NOQ: [Control; 3] = [Control::Bbr3, Control::Cubic, Control::NewReno];
    pub const ALL: [Control; 7] = [
        Control::NewReno,
        Control::Cubic,
        Control::Copa,
        Control::C4,
        Control::Bbr3,
        Control::PacedBbr3,
        Control::None,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Control::Bbr3 => "bbr3",
            Control::PacedBbr3 => "bbr3-paced",
            Control::Cubic => "cubic",
            Control::NewReno => "newreno",
            Control::Copa => "copa",
            Control::C4 => "c4",
            Control::None => "none",
        }
    }

    pub fn named(name: &str) -> Option<Control> {
        Control::ALL.into_iter().find(|control| control.name() == name)
    }

    /// What a connection of it starts with; it is watched.
    pub fn factory(self) -> Arc<dyn ControllerFactory + Send + Sync> {
        self.configured(Params::default())
    }

    /// With parameters for Copa.
    pub fn configured(self, copa: Params) -> Arc<dyn ControllerFactory + Send + Sync> {
        Arc::new(WatchedFactory(self.unwatched(copa)))
    }

    fn unwatched(self, copa: Params) -> Arc<dyn ControllerFactory + Send + Sync> {
        match self {
            Control::Bbr3 => {
                let mut config = Bbr3Config::default();
                config.initial_window(INITIAL_WINDOW_BYTES);
                Arc::new(config)
            }
            Control::PacedBbr3 => Arc::new(PacedFactory { initial_window_bytes: INITIAL_WINDOW_BYTES }),
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
            Control::Copa => Arc::new(CopaFactory { params: copa, initial_window_bytes: INITIAL_WINDOW_BYTES }),
            Control::C4 => Arc::new(C4Factory { initial_window_bytes: INITIAL_WINDOW_BYTES }),
            Control::None => Arc::new(Unlimited),
        }
    }

    /// Which one a connection really has: the type of its state, whatever was asked for.
    pub fn of(state: Box<dyn Controller>) -> Option<Control> {
        let state = match state.into_any().downcast::<Watched>() {
            Ok(watched) => watched.into_control().into_any(),
            Err(state) => state,
        };
        if state.is::<Bbr3>() {
            Some(Control::Bbr3)
        } else if state.is::<PacedBbr3>() {
            Some(Control::PacedBbr3)
        } else if state.is::<Cubic>() {
            Some(Control::Cubic)
        } else if state.is::<NewReno>() {
            Some(Control::NewReno)
        } else if state.is::<Copa>() {
            Some(Control::Copa)
        } else if state.is::<C4>() {
            Some(Control::C4)
        } else if state.is::<Unlimited>() {
            Some(Control::None)
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
            assert!(control == Control::None || state.initial_window() == INITIAL_WINDOW_BYTES);
            assert_eq!(Control::of(state), Some(control));
        }
        assert_eq!(Control::named("reno"), None);
    }
}
