/** Bottlenecks in a row that an application crosses: the names that users write, and the span that they stand for. */
import { CoexistError } from '../../core/errors.ts';
import { schemaFacts, text, z } from '../../core/schema/schema.ts';
import type { HopSpan } from '../../core/vocabulary/link.ts';

export const crossesSchema = z
  .union([text().transform(name => [name]), z.array(text()).min(1)], {
    error: 'must be the name of a bottleneck, such as "hop-2", or a list of names',
  })
  .register(schemaFacts, { accepts: 'name of a bottleneck (`hop-1` is the first), or a list of names' })
  .optional()
  .describe(
    'Bottlenecks of a row (`link.then`) that its packets cross; they follow each other. Its hosts are connected before ' +
      'the first and behind the last of them. Without it, all. See [links](links.md#applications-that-cross-some-of-them).',
  );

/**
 * Returns the span of the named bottlenecks in a row of `hops`; undefined if they are all. Throws `bad-definition` if a
 * name is unknown, or if the bottlenecks do not follow each other.
 */
export function spanOfNames(names: readonly string[], hops: number, application: string): HopSpan | undefined {
  const where = `link: crosses of ${application}`;
  if (hops === 1)
    throw new CoexistError('bad-definition', `${where}: the link has one bottleneck, which all applications cross`, {
      hint: 'leave out crosses, or add bottlenecks to link.then',
    });
  const known = Array.from({ length: hops }, (_, k) => `hop-${k + 1}`);
  const wrong = names.find(name => !known.includes(name));
  if (wrong !== undefined)
    throw new CoexistError('bad-definition', `${where}: there is no bottleneck "${wrong}"`, {
      hint: `the link has ${known.join(', ')}`,
    });
  const [from, to] = [known.indexOf(names[0]!), known.indexOf(names.at(-1)!)];
  const between = known.slice(from, to + 1);
  if (between.length !== names.length || between.some((name, k) => names[k] !== name))
    throw new CoexistError('bad-definition', `${where}: ${names.join(', ')} do not follow each other in the row`, {
      hint: `name neighbours in the order of the row: ${known.join(', ')}`,
    });
  return between.length === hops ? undefined : { from: from + 1, to: to + 1 };
}
