/** Types of the data of a series chart. The page's script imports this file too, so it contains no code. */

export type ChartLine = {
  label: string;
  /** Index of the line's colour in the palette. */
  colour: number;
  values: (number | null)[];
  /** Range around the line, drawn as a band. Missing if the line has no range. */
  band?: { low: (number | null)[]; high: (number | null)[] };
  /** True: the line is drawn as steps. Otherwise points are connected by slopes. */
  stepped?: boolean;
  /** True: the line is dashed, because it shows a try that does not count. */
  dashed?: boolean;
};

/** Stall, drawn as a mark on the x axis. */
export type ChartMark = { from: number; to: number; label: string; colour: number };

/** Phase on the x axis, for example a period with one link rate. Phases are labelled and shaded alternately. */
export type ChartPhase = { from: number; to: number; label: string };

/** Period in which the link stood still, drawn as a grey band. */
export type ChartStop = { from: number; to: number; label: string };

export type SeriesChart = {
  title: string;
  x: { label: string; values: number[]; log?: boolean };
  y: { label: string; min?: number; max?: number };
  lines: ChartLine[];
  marks?: ChartMark[];
  phases?: ChartPhase[];
  stops?: ChartStop[];
  /**
   * True: each value is drawn as a dot. A line of few values needs dots: a value between two gaps would be invisible.
   */
  dots?: boolean;
  height?: number;
};
