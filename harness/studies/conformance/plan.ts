/**
 * Plan of a conformance study: each case with each sender as a condition, whose window is that of the case. The rest is
 * as in the plan of an experiment, so that the same planner runs it.
 */
import { CoexistError, messageOf } from '../../../core/errors.ts';
import { boundOf, pick } from '../../../core/plugins.ts';
import { check } from '../../../core/schema/schema.ts';
import { unknownName } from '../../../core/text/nearest.ts';
import { defaultMeasure } from '../../../core/vocabulary/measure.ts';
import { type Condition, resolveSpec } from '../../definition/conditions.ts';
import { order, type Plan } from '../../definition/plan.ts';
import type { RunnerRegistries } from '../../trial/registries.ts';
import { type Case, isRun, type RunCase } from './case.ts';
import { casesOf } from './cases.ts';
import { type ConformanceDefinition, conformanceSchema } from './define.ts';
import { type Expectation, expectationsOf, requireMeasures } from './expectation.ts';

export const conformanceFormat = 'conformance-1';

/** A case of a plan. `notRun`: why no sender runs it; null if senders do. */
export type PlannedCase = Pick<Case, 'id' | 'title' | 'source' | 'differs'> & {
  notRun: string | null;
  /** Case with marks that senders without ECN run too: what they meet there. */
  withoutEcn?: string;
  expectations: Expectation[];
  /** Priority of each media flow, by its name. */
  media: Record<string, number>;
  /** Range of the media rate; null for a case that is not run. */
  bitrate: { minBps: number; startBps: number; maxBps: number } | null;
};

/** A case with a sender: its condition, or the reason why there is none. */
export type Cell = {
  case: string;
  sender: string;
  condition: string | null;
  notRun: string | null;
  /** Highest rate of each application, bit/s; null if it takes what it gets. */
  demands: Record<string, number | null>;
};

export type ConformancePlan = Omit<Plan, 'format' | 'definition' | 'primary'> & {
  format: typeof conformanceFormat;
  definition: ConformanceDefinition;
  confidence: number;
  senders: { name: string; title: string }[];
  cases: PlannedCase[];
  cells: Cell[];
};

type Sender = ReturnType<typeof sendersOf>[number];

/** Returns the senders that are tested. Throws `bad-definition` if `only` names one that there is not. */
function sendersOf(study: string, definition: object) {
  const { senders, only } = check(conformanceSchema, definition, study);
  const names = Object.keys(senders);
  const wrong = only?.find(name => !names.includes(name));
  if (wrong !== undefined) throw unknownName('bad-definition', `${study}: there is no sender "${wrong}"`, wrong, names);
  return Object.entries(senders)
    .filter(([name]) => only?.includes(name) ?? true)
    .map(([name, sender]) => ({ name, ...sender }));
}

/** Returns why a sender cannot run a case; null if it can. */
function obstacle(one: Case, { withMarks, hasPriority, title }: Sender): string | null {
  if (!isRun(one)) return one.notRun;
  if (!hasPriority && Object.values(one.media).some(({ weight }) => weight !== 1)) return `${title} takes no priority`;
  const leftOut = one.marks && withMarks === undefined && one.withoutEcn === undefined;
  return leftOut ? `${title} does not react to marks` : null;
}

const inMs = (ms: number | undefined) => (ms === undefined ? undefined : `${ms}ms`);
const given = <T extends object>(all: T) =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** Returns the controller of a sender with a priority; undefined without one. */
function weighted(controller: unknown, weight: number): object | undefined {
  if (weight === 1) return undefined;
  return { ...(typeof controller === 'string' ? { id: controller } : (controller as object)), priority: weight };
}

const mediaService = ({ frames, bitrate, marks }: RunCase, { service, withMarks }: Sender, weight: number) => ({
  ...service,
  width: frames.width,
  height: frames.height,
  frameRate: frames.rate,
  minBitrate: `${bitrate.min}bit`,
  startBitrate: `${bitrate.start}bit`,
  maxBitrate: `${bitrate.max}bit`,
  ...(marks ? withMarks : {}),
  ...given({ controller: weighted(service['controller'], weight) }),
});

function conditionOf(one: RunCase, sender: Sender, study: string, registries: RunnerRegistries): Condition {
  const id = `${one.id}-${sender.name}`;
  const media = Object.entries(one.media).map(([name, { start, stop, pauses, weight, direction, link }]) => [
    name,
    given({
      service: mediaService(one, sender, weight),
      start: inMs(start),
      stop: inMs(stop),
      pauses: pauses.map(({ from, to }) => ({ from: inMs(from), to: inMs(to) })),
      direction,
      link,
    }),
  ]);
  try {
    const spec = resolveSpec(
      { link: one.link, applications: { ...Object.fromEntries(media), ...one.beside } } as never,
      registries,
      { windowMs: one.window, headStart: '0ms' },
    );
    return { ...spec, id, title: `${sender.title}, ${one.title}`, baseline: id, windowMs: one.window };
  } catch (error) {
    if (!(error instanceof CoexistError)) throw error;
    throw new CoexistError(error.code, `${study}: case ${one.id} with ${sender.name}: ${messageOf(error)}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
}

const rangeOf = ({ bitrate: { min, start, max } }: RunCase) => ({ minBps: min, startBps: start, maxBps: max });

/** Returns the plan of a definition. Throws `bad-definition` with the first mistake. */
export async function makeConformancePlan(
  study: string,
  definition: ConformanceDefinition,
  registries: RunnerRegistries,
  changes: readonly string[] = [],
): Promise<ConformancePlan> {
  const checked = check(conformanceSchema, definition, study);
  requireMeasures(checked.bounds, `${study}: bounds`);
  const senders = sendersOf(study, definition);
  for (const { service } of senders) pick(registries.services, service.id, 'service');
  const cases = await casesOf(checked.cases, study);
  const pairs = cases.flatMap(one => senders.map(sender => ({ one, sender, notRun: obstacle(one, sender) })));
  const conditions: Condition[] = [];
  const cells = pairs.map(({ one, sender, notRun }): Cell => {
    const cell = { case: one.id, sender: sender.name };
    if (!isRun(one) || notRun !== null) return { ...cell, condition: null, notRun, demands: {} };
    const condition = conditionOf(one, sender, study, registries);
    conditions.push(condition);
    const demands = condition.applications.map(
      ({ name, service }) => [name, boundOf(registries.services, service, 'service').capBps] as const,
    );
    return { ...cell, condition: condition.id, notRun: null, demands: Object.fromEntries(demands) };
  });
  if (conditions.length === 0)
    throw new CoexistError('bad-definition', `${study}: no sender can run any of the cases`, {
      hint: cells[0]?.notRun ?? 'choose other cases',
    });
  const { title, question, source, run, confidence } = checked;
  return {
    format: conformanceFormat,
    study,
    title,
    question,
    source,
    definition,
    ...(changes.length > 0 ? { changes: [...changes] } : {}),
    run: { ...run, windowMs: Math.max(...conditions.map(({ windowMs }) => windowMs!)), floodLeadMs: 0 },
    measure: defaultMeasure,
    confidence,
    senders: senders.map(({ name, title: words }) => ({ name, title: words })),
    cases: cases.map(one => ({
      id: one.id,
      title: one.title,
      source: one.source,
      ...(one.differs === undefined ? {} : { differs: one.differs }),
      notRun: isRun(one) ? null : one.notRun,
      ...(isRun(one) && one.withoutEcn !== undefined ? { withoutEcn: one.withoutEcn } : {}),
      expectations: isRun(one) ? expectationsOf(one, checked.bounds, study) : [],
      media: isRun(one)
        ? Object.fromEntries(Object.entries(one.media).map(([name, { weight }]) => [name, weight]))
        : {},
      bitrate: isRun(one) ? rangeOf(one) : null,
    })),
    conditions,
    cells,
    trials: order(conditions, run.repeats, run.seed),
  };
}

/** Returns the case of a condition, with the demands of its applications. */
export function caseOf({ cases, cells }: ConformancePlan, condition: string): PlannedCase & Pick<Cell, 'demands'> {
  const { case: id, demands } = cells.find(cell => cell.condition === condition)!;
  return { ...cases.find(one => one.id === id)!, demands };
}
