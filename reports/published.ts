/** What the paper prints, for the condition of a study. */
import type { ExperimentDefinition } from '../harness/experiment/define.ts';

/** The longest of these names that a condition has, or has with variations behind it. */
const nameOf = (condition: string, names: readonly string[]) =>
  names
    .filter(name => condition === name || condition.startsWith(`${name}-`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), '');

/**
 * A varied condition is compared with what the paper has for the condition that it varies, and not with that of another
 * one whose name its own begins with.
 */
export function publishedValue(
  { reference, conditions }: Pick<ExperimentDefinition, 'reference' | 'conditions'>,
  quantity: string,
  condition: string,
): string | undefined {
  const values = reference?.values[quantity] ?? {};
  const name = nameOf(condition, Object.keys(values));
  return name.length < nameOf(condition, Object.keys(conditions ?? {})).length ? undefined : values[name];
}
