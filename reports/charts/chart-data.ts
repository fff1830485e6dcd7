/** Data of a series chart. The page's script reads this file, too, so it has no code. */

export type ChartLine = {
  label: string;
  /** Index in the palette. */
  colour: number;
  values: (number | null)[];
  /** Range around the line, drawn as a band. Missing if there is none. */
  band?: { low: (number | null)[]; high: (number | null)[] };
  /** Draws steps instead of slopes between the points. */
  stepped?: boolean;
  /** Draws a dashed line, for a try that does not count. */
  dashed?: boolean;
};

/** Stall, marked on the x axis. */
export type ChartMark = { from: number; to: number; label: string; colour: number };

/** Phase on the x axis, for example a link rate. Phases are shaded alternately and labelled. */
export type ChartPhase = { from: number; to: number; label: string };

/** Time at which the link stood still, drawn as a grey band. */
export type ChartStop = { from: number; to: number; label: string };

export type SeriesChart = {
  title: string;
  x: { label: string; values: number[]; log?: boolean };
  y: { label: string; min?: number; max?: number };
  lines: ChartLine[];
  marks?: ChartMark[];
  phases?: ChartPhase[];
  stops?: ChartStop[];
  /** Draws a dot at each value. With few values, a value between two gaps would be invisible without one. */
  dots?: boolean;
  height?: number;
};
