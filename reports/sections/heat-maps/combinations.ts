/** The combinations of what a study varies, laid out as fields of two of them. */
import type { Plan } from '../../../harness/experiment/plan.ts';

type Varied = Pick<Plan, 'definition' | 'conditions'>;

export type Field = {
  /** Title of the named condition and of what else is varied; "" where there is neither. */
  title: string;
  x: Axis;
  y: Axis;
  /** Condition ids by the place of x and y; undefined where two combinations came out as one condition of another name. */
  cells: { x: string; y: string; condition: string }[];
};

type Axis = { label: string; values: string[] };
type Part = { path: string; name: string; shown: string };

const joined = (...parts: string[]) => parts.filter(part => part !== '').join(', ');
const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function combinations(vary: Record<string, unknown[]>): Part[][] {
  return Object.entries(vary).reduce<Part[][]>((all, [path, values]) => (
    all.flatMap(parts => values.map(value => [...parts, { path, name: path.split('.').at(-1)!, shown: shown(value) }]))
  ), [[]]);
}

const labelOf = (parts: readonly Part[]) => parts.map(({ name, shown: value }) => `${name} ${value}`).join(', ');

/** None where fewer than two things take several values. */
export function variedFields({ definition, conditions }: Varied): Field[] {
  const vary = definition.vary ?? {};
  const axes = Object.keys(vary).filter(path => vary[path]!.length > 1).slice(0, 2);
  if (axes.length < 2) return [];
  const [down, across] = axes as [string, string]; // what is written first varies slowest
  const axis = (path: string): Axis => ({ label: path.split('.').at(-1)!, values: vary[path]!.map(shown) });
  const names = Object.entries(definition.conditions ?? {}).map(([name, { title }]) => title ?? name);
  const fields = new Map<string, Field>();
  for (const name of names.length === 0 ? [''] : names) {
    for (const parts of combinations(vary)) {
      // a condition bears the names of its variation (harness/experiment/conditions.ts)
      const condition = conditions.find(({ title }) => title === joined(name, labelOf(parts)));
      if (condition === undefined) continue;
      const title = joined(name, labelOf(parts.filter(({ path }) => !axes.includes(path) && vary[path]!.length > 1)));
      let field = fields.get(title);
      if (field === undefined) fields.set(title, field = { title, x: axis(across), y: axis(down), cells: [] });
      const at = (path: string) => parts.find(part => part.path === path)!.shown;
      field.cells.push({ x: at(across), y: at(down), condition: condition.id });
    }
  }
  return [...fields.values()];
}
