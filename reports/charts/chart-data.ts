/** What a series chart is made of: data alone, which the page's script reads, too. */

export type ChartLine = {
  label: string;
  /** Place in the palette. */
  colour: number;
  values: (number | null)[];
  /** Range around the line, drawn as a band; null where there is none. */
  band?: { low: (number | null)[]; high: (number | null)[] };
  /** Steps instead of slopes between points. */
  stepped?: boolean;
  /** Of a try that does not count. */
  dashed?: boolean;
};

/** A mark on the x axis: a stall. */
export type ChartMark = { from: number; to: number; label: string; colour: number };

/** A stretch of the x axis in which something else holds: shaded in turns, with its name above. */
export type ChartPhase = { from: number; to: number; label: string };

/** A time at which the link stood still: a grey band. */
export type ChartStop = { from: number; to: number; label: string };

export type SeriesChart = {
  title: string;
  x: { label: string; values: number[]; log?: boolean };
  y: { label: string; min?: number; max?: number };
  lines: ChartLine[];
  marks?: ChartMark[];
  phases?: ChartPhase[];
  stops?: ChartStop[];
  /** Each value has a dot: where there are few, one between two gaps would not be seen. */
  dots?: boolean;
  height?: number;
};
