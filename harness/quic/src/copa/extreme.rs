//! The least or greatest value of a sliding window of time.

use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct WindowedExtreme {
    is_better: fn(f64, f64) -> bool,
    /// From the best to the newest, with their times in ms; each is better than all that came later.
    values: VecDeque<(f64, f64)>,
}

impl WindowedExtreme {
    pub fn least() -> WindowedExtreme {
        WindowedExtreme { is_better: |a, b| a < b, values: VecDeque::new() }
    }

    pub fn greatest() -> WindowedExtreme {
        WindowedExtreme { is_better: |a, b| a > b, values: VecDeque::new() }
    }

    /// Times must not go back. The newest value always stays.
    pub fn add(&mut self, value: f64, at_ms: f64, window_ms: f64) {
        while self.values.back().is_some_and(|&(worst, _)| !(self.is_better)(worst, value)) {
            self.values.pop_back();
        }
        self.values.push_back((value, at_ms));
        while self.values.front().is_some_and(|&(_, old_ms)| at_ms - old_ms > window_ms) {
            self.values.pop_front();
        }
    }

    /// None before the first value.
    pub fn value(&self) -> Option<f64> {
        self.values.front().map(|&(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_the_window_and_the_newest_always() {
        let mut least = WindowedExtreme::least();
        assert_eq!(least.value(), None);
        for (value, at_ms, expected) in
            [(5.0, 0.0, 5.0), (7.0, 5.0, 5.0), (6.0, 10.0, 5.0), (9.0, 11.0, 6.0), (8.0, 50.0, 8.0)]
        {
            least.add(value, at_ms, 10.0);
            assert_eq!(least.value(), Some(expected), "at {at_ms}");
        }
        let mut greatest = WindowedExtreme::greatest();
        for (value, at_ms, expected) in [(5.0, 0.0, 5.0), (3.0, 5.0, 5.0), (4.0, 11.0, 4.0)] {
            greatest.add(value, at_ms, 10.0);
            assert_eq!(greatest.value(), Some(expected), "at {at_ms}");
        }
    }
}
