/** The metrics of docs/reading-results.md, by their own declarations. */
import type { MetricPlugin } from '../metrics/metric.ts';
import { blocks, wrap } from './markdown.ts';

const directions = { higher: 'higher is better', lower: 'lower is better' };

export function metricsText(metrics: readonly MetricPlugin[]): string {
  return blocks(
    ...metrics.map(({ title, source, quantities, reading: { needs, cannotTell, definitions } }) =>
      blocks(
        `### ${title}`,
        quantities
          .map(({ id, unit, better }) => {
            const facts = [unit, better === null ? '' : directions[better]].filter(text => text !== '').join('; ');
            return wrap(`- \`${id}\`${facts === '' ? '' : ` (${facts})`}: ${definitions[id]!}`, '  ');
          })
          .join('\n'),
        wrap(`**Needs:** ${needs} **Cannot tell:** ${cannotTell} **Source:** ${source}.`),
      ),
    ),
  );
}
