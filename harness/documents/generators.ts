/** Generates the list of the generators of links, with the statistics that each was fitted to. */
import { formatRatio } from '../../core/text/units.ts';
import { fitOf, generators } from '../../shaper/traces/generators.ts';
import { wrap } from './markdown.ts';

export function generatorsText(): string {
  const items = [...generators.values()].map(({ id, title, source, about }) =>
    wrap(`- \`${id}\`: ${title}. Source: ${source}. ${about}`, '  '),
  );
  const rows = [...generators.values()].flatMap(plugin =>
    fitOf(plugin).map(
      ({ name, published, made, errorRatio }) =>
        `| \`${plugin.id}\` | ${name} | ${published} | ${Number(made.toPrecision(4))} | ${formatRatio(Math.abs(errorRatio))} |`,
    ),
  );
  return [
    ...items,
    '',
    '| generator | statistic | published | made with seed 1 | error |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
