/** Courses of trials that are made by hand: flows of constant rate in bins of 100 ms. */
import type { Course, Flow, Span } from '../../../../../harness/studies/conformance/analysis/course.ts';
import { measureOf } from '../../../../../harness/studies/conformance/expectation.ts';

export const binMs = 100;

type Part = Span & { bps: number; delayMs?: number; dropped?: number; estimateBps?: number };

/** Flow with these rates in these parts of the window; outside of them it sends nothing. Each bin has 10 packets. */
export function flow(name: string, windowMs: number, parts: readonly Part[], rest: Partial<Flow> = {}): Flow {
  const bins = Array.from({ length: windowMs / binMs }, (_, k) =>
    parts.find(({ fromMs, toMs }) => k * binMs >= fromMs && k * binMs < toMs),
  );
  return {
    name,
    hop: 1,
    isMedia: true,
    direction: 'down',
    weight: 1,
    demandBps: 1.5e6,
    active: parts.length === 0 ? [] : [{ fromMs: parts[0]!.fromMs, toMs: parts.at(-1)!.toMs }],
    bits: bins.map(part => ((part?.bps ?? 0) * binMs) / 1000),
    sentPackets: bins.map(part => (part === undefined ? 0 : 10)),
    droppedPackets: bins.map(part => part?.dropped ?? 0),
    delayMs: bins.map(part => (part === undefined ? null : (part.delayMs ?? 10))),
    estimateBps: bins.map(part => part?.estimateBps ?? null),
    ...rest,
  };
}

export const course = (windowMs: number, flows: readonly Flow[], rest: Partial<Course> = {}): Course => ({
  windowMs,
  binMs,
  flows,
  bottlenecks: [{ hop: 1, direction: 'down', rateBps: 1e6, schedule: [] }],
  ...rest,
});

/** Value of a measure over the whole window, or over a span. */
export function measured(id: string, of: Course, span: Span = { fromMs: 0, toMs: of.windowMs }): number | null {
  const measure = measureOf(id)!;
  if (!('compute' in measure)) throw new Error(`${id} is computed from a metric`);
  return measure.compute(of, span);
}
