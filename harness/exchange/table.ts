/** Records as columns. A field of an inner object becomes a column named "OUTER.INNER". */

export type Cell = number | string | boolean | null;
type ColumnType = 'number' | 'text' | 'boolean';
type Column = { name: string; unit: string; type: ColumnType; values: Cell[] };
export type Table = Column[];

/** Calls `tell` with every leaf of a record. Lists become text. */
function eachLeaf(record: object, tell: (path: string, value: Cell) => void, under = ''): void {
  for (const [key, value] of Object.entries(record)) {
    const path = `${under}${key}`;
    if (Array.isArray(value)) tell(path, JSON.stringify(value));
    else if (typeof value === 'object' && value !== null) eachLeaf(value, tell, `${path}.`);
    else if (value === null || ['number', 'string', 'boolean'].includes(typeof value)) tell(path, value as Cell);
  }
}

/** Type of a column: text if its values have several types, number if it has no values. */
function typeOf(values: readonly Cell[]): ColumnType {
  const types = new Set(values.filter(value => value !== null).map(value => typeof value));
  if (types.size === 0) return 'number';
  return types.size > 1 || types.has('string') ? 'text' : types.has('boolean') ? 'boolean' : 'number';
}

/** `fields`: columns that are always present, in this order. Other fields of the records follow by name. */
export function tableOf(
  records: readonly object[],
  fields: Readonly<Record<string, { type: ColumnType; unit: string }>>,
): Table {
  const columns = new Map<string, Cell[]>();
  const column = (name: string) => {
    let values = columns.get(name);
    if (values === undefined) columns.set(name, (values = new Array<Cell>(records.length).fill(null)));
    return values;
  };
  for (const name of Object.keys(fields)) column(name);
  for (const [row, record] of records.entries()) {
    eachLeaf(record, (path, value) => {
      // a missing inner object gets no column
      if (value !== null || Object.hasOwn(fields, path)) column(path)[row] = value;
    });
  }
  const known = Object.keys(fields);
  const others = [...columns.keys()].filter(name => !Object.hasOwn(fields, name)).sort();
  return [...known, ...others].map(name => {
    const values = columns.get(name)!;
    const { type, unit } = Object.hasOwn(fields, name) ? fields[name]! : { type: typeOf(values), unit: '' };
    return {
      name,
      unit,
      type,
      values: type === 'text' ? values.map(value => (value === null ? null : String(value))) : values,
    };
  });
}

export function rowCount(table: Table): number {
  return table[0]?.values.length ?? 0;
}
