/** Text of a dry run of a conformance study. */
import { formatDuration } from '../../../core/text/units.ts';
import { describeLink } from '../../../core/vocabulary/link.ts';
import { sourceLines } from '../source-lines.ts';
import { expectationWords } from './expectation.ts';
import type { ConformancePlan } from './plan.ts';
import { lengthWords } from './progress.ts';

export function describePlan(plan: ConformancePlan): string {
  const { cases, cells, senders, conditions, run } = plan;
  const width = Math.max(...cases.map(({ id }) => id.length));
  const caseLines = cases.flatMap(({ id, title, notRun, withoutEcn, expectations }) => {
    const own = cells.filter(cell => cell.case === id);
    const first = conditions.find(condition => own.some(cell => cell.condition === condition.id));
    const head = `${id.padEnd(width)}  ${title}`;
    if (first === undefined) return [`${head}: not run, ${notRun ?? own[0]!.notRun!}`];
    const left = own.filter(cell => cell.notRun !== null);
    return [
      `${head}, ${formatDuration(first.windowMs!)}`,
      `    ${describeLink(first.link)}`,
      ...expectations.map(one => `    ${expectationWords(one)}`),
      ...(withoutEcn === undefined ? [] : [`    without ECN: ${withoutEcn}`]),
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
