/** Converts records to a table. A field of an inner object becomes a column named "OUTER.INNER". */

export type Cell = number | string | boolean | null;
type ColumnType = 'number' | 'text' | 'boolean';
type Column = { name: string; unit: string; type: ColumnType; values: Cell[] };
export type Table = Column[];

/** Calls `tell` with the path and the value of every leaf of a record. A list becomes text. */
function eachLeaf(record: object, tell: (path: string, value: Cell) => void, under = ''): void {
  for (const [key, value] of Object.entries(record)) {
    const path = `${under}${key}`;
    if (Array.isArray(value)) tell(path, JSON.stringify(value));
    else if (typeof value === 'object' && value !== null) eachLeaf(value, tell, `${path}.`);
    else if (value === null || ['number', 'string', 'boolean'].includes(typeof value)) tell(path, value as Cell);
  }
}

/** Returns the type of a column: text if the values have several types, number if there are no values. */
function typeOf(values: readonly Cell[]): ColumnType {
  const types = new Set(values.filter(value => value !== null).map(value => typeof value));
  if (types.size === 0) return 'number';
  return types.size > 1 || types.has('string') ? 'text' : types.has('boolean') ? 'boolean' : 'number';
}

/**
 * Makes a table of records. `fields`: columns that are always present, in this order. Columns for the other fields of
 * the records follow, sorted by name.
 */
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
      // a missing inner object has no column
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
