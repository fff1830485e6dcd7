/** What the paper prints, for the condition of a study. */
import type { ExperimentDefinition } from '../harness/experiment/define.ts';

/** A varied condition is compared with what the paper has for the condition that it varies. */
export function publishedValue(
  { reference }: Pick<ExperimentDefinition, 'reference'>,
  quantity: string,
  condition: string,
): string | undefined {
  return Object.entries(reference?.values[quantity] ?? {})
    .filter(([name]) => condition === name || condition.startsWith(`${name}-`))
    .sort((a, b) => b[0].length - a[0].length)[0]?.[1];
}
