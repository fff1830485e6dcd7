/** The page's clock: Unix ms that never step, because they come from the monotonic clock. */
export const toUnixMs = (ms: number) => performance.timeOrigin + ms;
export const timeMs = () => toUnixMs(performance.now());
