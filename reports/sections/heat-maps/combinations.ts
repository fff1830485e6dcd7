/**
 * Arranges the combinations of a study's varied values in fields. The axes of a field are two varied parameters, or one
 * varied parameter and the named conditions.
 */
import { parameterWords, plainValue, variedWords } from '../../../core/vocabulary/varied.ts';
import type { Plan } from '../../../harness/definition/plan.ts';

type Varied = Pick<Plan, 'definition' | 'conditions'>;

export type Field = {
  /**
   * Values that all cells of the field share: the named condition, unless it is on an axis, and the values of further
   * varied parameters. Empty if there are none.
   */
  title: string;
  x: Axis;
  y: Axis;
  /**
   * Id of the condition in each cell, with its x and y. A combination has no cell if it equals another condition, since
   * the study then has no condition with the title of the combination.
   */
  cells: { x: string; y: string; condition: string }[];
};

type Axis = { label: string; values: string[] };
type Part = { path: string; value: unknown };

const joined = (...parts: string[]) => parts.filter(part => part !== '').join(', ');

function combinations(vary: Record<string, unknown[]>): Part[][] {
  return Object.entries(vary).reduce<Part[][]>(
    (all, [path, values]) => all.flatMap(parts => values.map(value => [...parts, { path, value }])),
    [[]],
  );
}

/**
 * Returns the label of a combination of values, as in the title of its condition (harness/definition/conditions.ts).
 */
const labelOf = (parts: readonly Part[]) => parts.map(({ path, value }) => variedWords(path, value)).join(', ');

/** Place of a condition: `title` of its field, and `x` and `y` of its cell. */
type Place = { x: string; y: string; title: string };

type Layout = { x: Axis; y: Axis; place(name: string, parts: readonly Part[]): Place };

function layoutOf(vary: Record<string, unknown[]>, names: readonly string[]): Layout | undefined {
  const several = Object.keys(vary).filter(path => vary[path]!.length > 1);
  const axis = (path: string): Axis => ({
    label: parameterWords(path.replace(/\.id$/, '')),
    values: vary[path]!.map(plainValue),
  });
  const at = (path: string, parts: readonly Part[]) => plainValue(parts.find(part => part.path === path)!.value);
  const [first, second] = several;
  if (first === undefined || (second === undefined && names.length < 2)) return undefined;
  if (second === undefined)
    return {
      x: axis(first),
      y: { label: 'condition', values: [...names] },
      place: (name, parts) => ({ x: at(first, parts), y: name, title: '' }),
    };
  // the parameter that the study names first varies slowest, so it is on the y axis
  const others = (parts: readonly Part[]) => parts.filter(({ path }) => several.indexOf(path) > 1);
  return {
    x: axis(second),
    y: axis(first),
    place: (name, parts) => ({
      x: at(second, parts),
      y: at(first, parts),
      title: joined(name, labelOf(others(parts))),
    }),
  };
}

/**
 * Returns the fields of a study. Empty unless the study varies two parameters, or varies one and has several named
 * conditions.
 */
export function variedFields({ definition, conditions }: Varied): Field[] {
  const vary = definition.vary ?? {};
  const named = Object.entries(definition.conditions ?? {}).map(([name, { title }]) => title ?? name);
  const layout = layoutOf(vary, named);
  if (layout === undefined) return [];
  const fields = new Map<string, Field>();
  for (const name of named.length === 0 ? [''] : named) {
    for (const parts of combinations(vary)) {
      const condition = conditions.find(({ title }) => title === joined(name, labelOf(parts)));
      if (condition === undefined) continue;
      const { title, x, y } = layout.place(name, parts);
      let field = fields.get(title);
      if (field === undefined) fields.set(title, (field = { title, x: layout.x, y: layout.y, cells: [] }));
      field.cells.push({ x, y, condition: condition.id });
    }
  }
  return [...fields.values()]
    .map(field => ({
      ...field,
      y: { ...field.y, values: field.y.values.filter(value => field.cells.some(({ y }) => y === value)) },
    }))
    .filter(({ y }) => y.values.length > 1);
}
