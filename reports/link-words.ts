/**
 * Describes the links of a study. First come the values that all links share, then the values that differ, each with
 * its conditions, sorted by kind (rate, queue, paths, loss, backend).
 */

import { listed } from '../core/text/listed.ts';
import { describeLink, joinWords, type Link, linkWords } from '../core/vocabulary/link.ts';
import type { TrialView } from '../harness/analysis/derive/trial-view.ts';
import type { Condition } from '../harness/definition/conditions.ts';
import { shownRecords } from './disturbed.ts';
import { mostNamed } from './format.ts';

type Tried = { records: ReadonlyMap<string, TrialView[]>; disturbed: ReadonlyMap<string, TrialView> };
type Studied = Tried & { plan: { conditions: readonly Condition[] } };
type Kind = keyof ReturnType<typeof linkWords>;

/**
 * Words for each kind of value. `name`: title of the kind in the list of differences. `none`: text for a link without a
 * value of this kind.
 */
const kinds: Record<Kind, { name: string; none: string }> = {
  rate: { name: 'Rate', none: '' },
  queue: { name: 'Queue', none: '' },
  paths: { name: 'Delay', none: '' },
  loss: { name: 'Loss', none: '' },
  up: { name: 'From the clients', none: 'no bottleneck' },
  further: { name: 'Bottlenecks behind it', none: 'none' },
  backend: { name: 'Backend', none: 'formed by what this machine has' },
};

/** Returns the link of a condition. The backend is the one that formed the link in the first trial. */
const linkOf = ({ id, link }: Pick<Condition, 'id' | 'link'>, report: Tried): Link => ({
  ...link,
  backend: shownRecords(report, id)[0]?.file.backend ?? link.backend,
});

export const linkLine = (condition: Pick<Condition, 'id' | 'link'>, report: Tried) =>
  describeLink(linkOf(condition, report));

/** Lists the values of a kind. Each has its conditions if these are few: "no random loss (Alone, Wired)". */
function differing(kind: Kind, titles: ReadonlyMap<string, string[]>, all: number): string {
  const { name, none } = kinds[kind];
  const values = [...titles].map(([words, of]) => ({
    words: words === '' ? none : words.replace(/^\((?:up|then): (.*)\)$/, '$1'),
    of,
  }));
  // backends are always listed: they are few, and have no order for "from ... to"
  if (values.length > mostNamed && kind !== 'backend')
    return `${name}: ${values.length} values from ${values[0]!.words} to ${values.at(-1)!.words}`;
  const said = values.map(({ words, of }) =>
    all > mostNamed && of.length > 1 ? `${words} (${of.length} conditions)` : `${words} (${listed(of)})`,
  );
  return `${name}: ${said.join('; ')}`;
}

/** Describes the links of all conditions in one line. */
export function linksLine(report: Studied): string {
  const { conditions } = report.plan;
  const words = conditions.map(condition => ({ title: condition.title, of: linkWords(linkOf(condition, report)) }));
  const byKind = (Object.keys(kinds) as Kind[]).map(kind => ({
    kind,
    titles: new Map(
      [...Map.groupBy(words, ({ of }) => of[kind])].map(([of, some]) => [of, some.map(one => one.title)]),
    ),
  }));
  const common = byKind.filter(({ titles }) => titles.size === 1).flatMap(({ titles }) => [...titles.keys()]);
  const apart = byKind.filter(({ titles }) => titles.size > 1);
  const shared = joinWords(common);
  if (apart.length === 0) return shared;
  const differences = apart.map(({ kind, titles }) => differing(kind, titles, conditions.length));
  return [...(shared === '' ? [] : [shared]), ...differences].join('. ');
}
