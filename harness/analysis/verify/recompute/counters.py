"""
Counters that are read now and then: their growth over a window, and bounds of the growth that hold
however the counter grew between two readings.
"""

import numpy as np

# The value of a counter is unknown at times further than this from all of its readings, ms.
SLACK_MS = 1000


def growth(times, values, start_ms, end_ms):
    """By linear interpolation; None where it was not read around both ends."""
    if len(times) == 0 or start_ms < times[0] - SLACK_MS or end_ms > times[-1] + SLACK_MS:
        return None
    at = np.interp([start_ms, end_ms], times, values)
    return float(at[1] - at[0])


def doubt(times, values, start_ms, end_ms):
    """
    How far the true growth of a counter that never falls can lie from the interpolated one. The counter must
    have been read before and after both ends of the window.
    """

    def around(time):
        after = int(np.searchsorted(times, time))
        return values[max(0, after - 1)], values[min(len(values) - 1, after)]

    (start_low, start_high), (end_low, end_high) = around(start_ms), around(end_ms)
    reckoned = growth(times, values, start_ms, end_ms)
    return max(end_high - start_low - reckoned, reckoned - (end_low - start_high))
