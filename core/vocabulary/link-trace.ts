/**
 * Trace of a bottleneck, which its rate, delay, loss and outages follow instead of constant values. docs/links.md has the
 * formats of the files.
 */
import { formatDuration, trimmed } from '../text/units.ts';
import type { Direction } from './direction.ts';

/** How a trace is played. */
export type TracePlay = {
  /** Paths of the files, at most one with opportunities and at most one table. Empty if `make` is set. */
  files: string[];
  /** Generator (shaper/traces/made) with its seed and the length of what it makes, ms; null with files. */
  make: { id: string; seed: number; lengthMs: number } | null;
  /** Time of the trace, ms, at which the window starts; `seeded`: the seed of the trial chooses it. */
  startAtMs: number | 'seeded';
  /** Factor of every rate of the trace. */
  times: number;
  /** True if the trace starts again after its end; otherwise its last values hold. */
  loop: boolean;
};

/** Trace of a bottleneck. A text is the path of one file, which is played from its start, again and again. */
export type LinkTrace = string | TracePlay;

/** Link that may follow a trace in each direction. */
export type Traced = { readonly trace: LinkTrace | null; readonly up?: { readonly trace: LinkTrace | null } | null };

/** Returns the trace with all its properties. */
export function playOf(trace: LinkTrace): TracePlay {
  return typeof trace === 'string' ? { files: [trace], make: null, startAtMs: 0, times: 1, loop: true } : trace;
}

/** Returns the traces of a link with their directions. */
export function linkTraces({ trace, up }: Traced): { trace: LinkTrace; direction: Direction }[] {
  return [
    ...(trace === null ? [] : [{ trace, direction: 'down' as const }]),
    ...(up == null || up.trace === null ? [] : [{ trace: up.trace, direction: 'up' as const }]),
  ];
}

/** Returns the paths of the files of all traces of a link. */
export function traceFiles(link: Traced): string[] {
  return linkTraces(link).flatMap(({ trace }) => playOf(trace).files);
}

/** Returns the name of a trace for people: the names of its files, or of its generator: "trace leo (seed 3)". */
export function traceName(trace: LinkTrace): string {
  const { files, make } = playOf(trace);
  if (make !== null) return `trace ${make.id} (seed ${make.seed})`;
  return `trace ${files.map(file => file.split('/').at(-1)).join(' and ')}`;
}

/** Returns the trace in words: its name, and how it is played where that differs from the usual. */
export function describeLinkTrace(trace: LinkTrace): string {
  const { startAtMs, times, loop } = playOf(trace);
  return [
    traceName(trace),
    ...(startAtMs === 'seeded' ? ['from a seeded start'] : startAtMs > 0 ? [`from ${formatDuration(startAtMs)}`] : []),
    ...(times === 1 ? [] : [`at ${trimmed(times)} times its rate`]),
    ...(loop ? [] : ['played once']),
  ].join(', ');
}
