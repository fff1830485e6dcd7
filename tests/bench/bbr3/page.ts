/** The checks of a run as a page of docs/results. */
import { readVersions } from '../../../harness/record/versions.ts';
import { escaped, wrapped } from '../../../reports/results/page.ts';
import type { Verdict } from './check.ts';

export type Row = { id: string; title: string } & Verdict;

const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;

/** `draft`: what the loaded BBRv3 was written after. `started`: when the first flow was. */
export async function signaturesPage(rows: readonly Row[], draft: string, started: Date): Promise<string> {
  const passed = rows.filter(({ ok }) => ok).length;
  const { kernel, distribution, processor, cores, iperf3, coexist, commit } = await readVersions(null);
  return `${[
    '# Signatures of BBRv3',
    '<!-- written by npm run bench:bbr3 -- --page FILE: do not edit -->',
    wrapped(
      'Does what is loaded as "bbr3" behave as the draft of BBRv3 says, where BBRv1 or CUBIC behave differently?',
    ),
    '## Result',
    wrapped(
      `${passed} of ${rows.length} checks passed. Each check looks at one flow of BBRv3 and, measured in the same ` +
        'minutes over the same link, one flow of the BBRv1 of the kernel. A scenario whose check fails is run once ' +
        'more; then "second try" stands at its title, and the first value beside the second. One flow says whether a behaviour is there, not how often: ' +
        'there are no intervals.',
    ),
    [
      line(['Check', 'What is checked', 'BBRv3', 'BBRv1 (or as named)', 'Asked', 'Passed']),
      '| --- | --- | --- | --- | --- | --- |',
      ...rows.map(({ id, title, measured, beside, wanted, ok }) =>
        line([id, title, measured, beside, wanted, ok ? 'yes' : '**no**']),
      ),
    ].join('\n'),
    wrapped(
      '"v1" is BBRv1, BDP the bandwidth-delay product. Thresholds are those of the draft and of the tables in ' +
        'shaper/bbr3/README.md. Check 12, other kernels, is `npm run test:kernels`.',
    ),
    '## How it was measured',
    [
      '| | |',
      '|---|---|',
      line(['BBRv3', draft]),
      '| Command | `npm run bench:bbr3` |',
      line(['Kernel', `${kernel}, ${distribution}`]),
      line(['Tools', iperf3 ?? 'no iperf3']),
      line(['Machine', `${processor}, ${cores} cores`]),
      line(['Coexist', `${coexist}, commit ${commit ?? 'unknown'}`]),
      line(['Started', started.toISOString()]),
    ].join('\n'),
  ].join('\n\n')}\n`;
}
