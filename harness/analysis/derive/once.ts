/** What is computed once for a record, however many ask for it. */

/** The function that gives what `compute` gave for the same record before. It is forgotten with the record. */
export function onceFor<R extends object, T>(compute: (record: R) => Promise<T>): (record: R) => Promise<T> {
  const known = new WeakMap<R, Promise<T>>();
  return record => {
    let result = known.get(record);
    if (result === undefined) known.set(record, (result = compute(record)));
    return result;
  };
}
