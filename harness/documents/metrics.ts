/** Generates the list of metrics in docs/reading-results.md from the declarations of the metrics. */
import type { MetricPlugin } from '../analysis/metrics/metric.ts';
import { blocks, wrap } from './markdown.ts';

const directions = { higher: 'higher is better', lower: 'lower is better' };

export function metricsText(metrics: readonly MetricPlugin[]): string {
  return blocks(
    ...metrics.map(({ title, source, quantities, reading: { needs, cannotTell, definitions } }) =>
      blocks(
        `### ${title}`,
        quantities
          .map(({ id, title: name, unit, better }) => {
            const facts = [`"${name}"`, unit, better === null ? '' : directions[better]].filter(text => text !== '');
            return wrap(`- \`${id}\` (${facts.join('; ')}): ${definitions[id]!}`, '  ');
          })
          .join('\n'),
        wrap(`**Needs:** ${needs} **Cannot tell:** ${cannotTell} **Source:** ${source}.`),
      ),
    ),
  );
}
