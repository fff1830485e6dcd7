/** Converts times of the page's monotonic clock to Unix ms. */
export const toUnixMs = (ms: number) => performance.timeOrigin + ms;
export const timeMs = () => toUnixMs(performance.now());
