/** The page's monotonic clock, in Unix ms. */
export const toUnixMs = (ms: number) => performance.timeOrigin + ms;
export const timeMs = () => toUnixMs(performance.now());
