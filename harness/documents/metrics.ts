/** Generates the list of metrics in docs/reading-results.md from the declarations of the metrics. */
import type { MetricPlugin } from '../analysis/metrics/metric.ts';
import { blocks, wrap } from './markdown.ts';

/** Words for what a quantity has its values of, if each application has no value of its own. */
const single = { link: 'of the link', all: 'of all applications' };
const alsoTogether = 'also of the others together';
const directions = { higher: 'higher is better', lower: 'lower is better' };

export function metricsText(metrics: readonly MetricPlugin[]): string {
  return blocks(
    ...metrics.map(({ title, source, quantities, reading: { needs, cannotTell, definitions } }) =>
      blocks(
        `### ${title}`,
        quantities
          .map(({ id, title: name, unit, better, of, together }) => {
            const facts = [
              `"${name}"`,
              unit,
              better === null ? '' : directions[better],
              of === undefined ? (together === true ? alsoTogether : '') : single[of],
            ].filter(text => text !== '');
            return wrap(`- \`${id}\` (${facts.join('; ')}): ${definitions[id]!}`, '  ');
          })
          .join('\n'),
        wrap(`**Needs:** ${needs} **Cannot tell:** ${cannotTell} **Source:** ${source}.`),
      ),
    ),
  );
}
