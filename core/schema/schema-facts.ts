/**
 * Facts about schemas that zod does not store, such as the kind of a quantity. Documents and messages are generated
 * from these facts.
 */
import { z } from 'zod';
import type { QuantityKind } from '../text/units.ts';

export type Range = { min?: number; max?: number; moreThan?: number };

/**
 * Kind and accepted range of a quantity, or the forms (schemas) that a value may have. Limits of the range are in the
 * unit of the parsed number.
 */
export type Facts =
  | { kind: QuantityKind | 'queue limit'; range?: Range }
  | { forms: readonly object[] }
  | { accepts: string };

/** Registry with the facts of the schemas of core/schema/schema.ts. Schemas of zod itself need no entry. */
export const schemaFacts = z.registry<Facts>();

/**
 * Returns the schema inside one wrapper (default, optional, nullable or transformation). Undefined if the schema is not
 * wrapped.
 */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return schema.def.innerType as z.ZodType;
  if (schema instanceof z.ZodPipe)
    return (schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in) as z.ZodType;
  return undefined;
}

function innermost(schema: z.ZodType): z.ZodType {
  const inner = innerOf(schema);
  return inner === undefined ? schema : innermost(inner);
}

/**
 * Returns the kind of quantity for each field of the object that is a quantity, by field name; that of a field of an
 * inner object is "audio.bitrate", that of each object of a list "changes[].rate".
 */
export function quantityKinds(object: z.ZodType): Record<string, QuantityKind> {
  if (!(object instanceof z.ZodObject)) return {};
  const kindOf = (field: z.ZodType): [QuantityKind] | [] => {
    for (let schema: z.ZodType | undefined = field; schema !== undefined; schema = innerOf(schema)) {
      const facts = schemaFacts.get(schema);
      if (facts !== undefined) return 'kind' in facts && facts.kind !== 'queue limit' ? [facts.kind] : [];
    }
    return [];
  };
  const innerKinds = (name: string, inner: z.ZodType) => {
    const [path, one] = inner instanceof z.ZodArray ? [`${name}[]`, inner.element as z.ZodType] : [name, inner];
    return Object.entries(quantityKinds(one)).map(([field, kind]) => [`${path}.${field}`, kind] as const);
  };
  return Object.fromEntries(
    Object.entries(object.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
      ...kindOf(field).map(kind => [name, kind] as const),
      ...innerKinds(name, innermost(field)),
    ]),
  );
}
