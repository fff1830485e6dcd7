/** The page's clock: Unix ms that never step. */
export const toUnixMs = (ms: number) => performance.timeOrigin + ms;
export const timeMs = () => toUnixMs(performance.now());
