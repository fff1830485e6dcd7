/** Formats numbers for the evidence sentences. */

export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const bps = (value: number) => `${(value / 1e6).toFixed(value < 1e6 ? 2 : 1)} Mbit/s`;
export const share = (ratio: number) => `${Math.round(ratio * 100)} %`;
