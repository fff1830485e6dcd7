//! How fast the window moves: twice as fast with every round trip, once it has gone the same way for three.
//!
//! Source: NSDI 2018, section 2.1; the reset within a round trip is mvfst's, the bound at one window in a round trip genericCC's.

/// Round trips in the same direction before the velocity doubles.
const STEADY_TRIPS: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Up,
    Down,
}

#[derive(Clone, Debug)]
pub struct Velocity {
    value: f64,
    direction: Option<Direction>,
    same_trips: u32,
    /// When this round trip began, ms, and the window then.
    start: Option<(f64, f64)>,
}

impl Default for Velocity {
    fn default() -> Velocity {
        Velocity { value: 1.0, direction: None, same_trips: 0, start: None }
    }
}

impl Velocity {
    /// A factor on the change of the window.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Before each change of the window, which goes `wanted`: looks back where a round trip is over.
    pub fn update(&mut self, wanted: Direction, window_packets: f64, delta: f64, now_ms: f64, rtt_ms: f64) {
        let (start_ms, start_packets) = *self.start.get_or_insert((now_ms, window_packets));
        if now_ms - start_ms >= rtt_ms {
            self.turn(if window_packets > start_packets { Direction::Up } else { Direction::Down });
            self.start = Some((now_ms, window_packets));
        }
        if self.value > 1.0 && self.direction != Some(wanted) {
            self.restart(wanted, 0);
            self.start = Some((now_ms, window_packets));
        }
        self.value = self.value.min(delta * window_packets).max(1.0);
    }

    fn turn(&mut self, direction: Direction) {
        if self.direction != Some(direction) {
            return self.restart(direction, 1);
        }
        self.same_trips += 1;
        if self.same_trips >= STEADY_TRIPS {
            self.value *= 2.0;
        }
    }

    fn restart(&mut self, direction: Direction, same_trips: u32) {
        self.value = 1.0;
        self.direction = Some(direction);
        self.same_trips = same_trips;
    }
}
