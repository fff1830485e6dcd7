/** Text of a dry run of a conformance study. */
import { formatDuration } from '../../../core/text/units.ts';
import { describeLink } from '../../../core/vocabulary/link.ts';
import { sourceLines } from '../source-lines.ts';
import type { Expectation } from './expectation.ts';
import { measureOf } from './expectation.ts';
import type { ConformancePlan } from './plan.ts';
import { lengthWords } from './progress.ts';

function expectationLine({ measure: id, fromMs, toMs, atLeast, atMost }: Expectation): string {
  const { title, unit } = measureOf(id)!;
  const shown = (value: number) => (unit === 'ratio' ? `${100 * value} %` : `${value} ${unit}`.trim());
  const bounds = [
    ...(atLeast === null ? [] : [`at least ${shown(atLeast)}`]),
    ...(atMost === null ? [] : [`at most ${shown(atMost)}`]),
  ];
  return `    ${title}, ${formatDuration(fromMs)} to ${formatDuration(toMs)}: ${bounds.join(', ')}`;
}

export function describePlan(plan: ConformancePlan): string {
  const { cases, cells, senders, conditions, run } = plan;
  const width = Math.max(...cases.map(({ id }) => id.length));
  const caseLines = cases.flatMap(({ id, title, notRun, expectations }) => {
    const own = cells.filter(cell => cell.case === id);
    const first = conditions.find(condition => own.some(cell => cell.condition === condition.id));
    const head = `${id.padEnd(width)}  ${title}`;
    if (first === undefined) return [`${head}: not run, ${notRun ?? own[0]!.notRun!}`];
    const left = own.filter(cell => cell.notRun !== null);
    return [
      `${head}, ${formatDuration(first.windowMs!)}`,
      `    ${describeLink(first.link)}`,
      ...expectations.map(expectationLine),
      ...left.map(({ sender, notRun: why }) => `    not with ${sender}: ${why}`),
    ];
  });
  const lines = [
    plan.title,
    `  ${plan.question}`,
    ...sourceLines(plan),
    '',
    ...caseLines,
    '',
    `senders: ${senders.map(({ name, title }) => `${name} (${title})`).join(', ')}`,
    `${run.repeats} of each case and sender, round robin, seed ${run.seed}`,
    lengthWords(plan, plan.trials),
  ];
  return `${lines.join('\n')}\n`;
}
