/** `--set path=value`: changes a value of a definition. The change is made before the definition is checked. */
import { CoexistError } from '../../core/errors.ts';
import { nearest, unknownName } from '../../core/text/nearest.ts';

type Tree = { [key: string]: unknown };

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses the value of an assignment: "40mbit" stays text, "5" becomes a number, "true" a boolean, "[1,5]" a list. */
export function parseSetValue(text: string): unknown {
  if (/^(-?\d+(\.\d+)?|true|false|null|[[{].*)$/s.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

/** Splits an assignment "link.rate=40mbit" at its first "=". Throws `usage` if the path or the "=" is missing. */
export function parseAssignment(assignment: string): { path: string; value: unknown } {
  const at = assignment.indexOf('=');
  if (at <= 0) {
    throw new CoexistError('usage', `--set ${assignment}: no value`, {
      hint: 'write it as --set path=value, for example --set link.rate=20mbit',
    });
  }
  return { path: assignment.slice(0, at).trim(), value: parseSetValue(assignment.slice(at + 1).trim()) };
}

/**
 * Returns the value of an object's own key. Undefined for an inherited key, because it is not part of the definition.
 */
function own(node: Tree, key: string): unknown {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

/** Top-level keys that `--set` may set although the definition does not have them. */
const mayBeMissing = [
  ...['require', 'claims', 'tunnel'],
  ...['payoff', 'atLeast', 'confidence', 'exhaustive'],
  ...['title', 'services', 'links', 'within'],
  ...['cases', 'only'],
];

/** Keys whose value is an id, or an object with the id and parameters. */
const takesBareId = ['controller', 'aqm'];

/** Splits a path into its keys. All text after "vary." is one key: "vary.link.rtt" is the key "link.rtt" of `vary`. */
function keysOf(path: string): string[] {
  return path.startsWith('vary.') ? ['vary', path.slice('vary.'.length)] : path.split('.');
}

/**
 * Returns a copy of `definition` in which `value` stands at `path`. The last key of the path may be new, because it may
 * be a parameter with a default; the schemas check it later. Of the other keys only optional ones may be missing; they
 * are created. `by`: first word of error messages.
 */
export function withValue<T extends object>(definition: T, path: string, value: unknown, by = '--set'): T {
  const copy = structuredClone(definition);
  const keys = keysOf(path);
  let node = copy as Tree;
  for (const [depth, key] of keys.slice(0, -1).entries()) {
    const inCondition = keys[0] === 'conditions' && depth >= 2;
    const optional =
      (depth === 0 && ['run', 'measure', 'vary', 'tunnel', 'bounds'].includes(key)) ||
      (depth === 1 && keys[0] === 'bounds') ||
      inCondition ||
      (depth === 1 && keys[0] === 'service') ||
      (depth >= 2 && keys[0] === 'applications') ||
      // any key may be new, because the schema checks it later, unless it resembles an existing key: then it is
      // misspelt
      (depth >= 1 && keys[0] === 'link' && nearest(key, Object.keys(node)) === undefined);
    if (own(node, key) === undefined && optional) node[key] = {};
    const written = own(node, key);
    if (typeof written === 'string' && takesBareId.includes(key)) node[key] = { id: written };
    const next = own(node, key);
    if (Array.isArray(next)) throw insideList(`${by} ${path}`, keys.slice(0, depth + 1).join('.'));
    if (!isTree(next)) throw unknownPath(`${by} ${path}`, keys.slice(0, depth + 1).join('.'), key, Object.keys(node));
    node = next;
  }
  const last = keys.at(-1)!;
  const parent = keys.slice(0, -1).join('.');
  if (keys.length === 1 && !mayBeMissing.includes(last) && own(node, last) === undefined)
    throw unknownPath(`${by} ${path}`, last, last, Object.keys(node));
  if (parent === 'conditions' && own(node, last) === undefined)
    throw unknownPath(`${by} ${path}`, path, last, Object.keys(node));
  node[last] = value;
  return copy;
}

/**
 * Returns a copy of `definition` after all assignments of `--set`, made one after the other. Throws `usage` if an
 * assignment would replace a value that an earlier one has set: the record would then name a change that the study does
 * not have.
 */
export function withAssignments<T extends object>(definition: T, assignments: readonly string[]): T {
  const paths = assignments.map(assignment => parseAssignment(assignment).path);
  for (const [k, path] of paths.entries()) {
    const lost = paths.slice(0, k).find(earlier => earlier.startsWith(`${path}.`));
    if (lost !== undefined)
      throw new CoexistError('usage', `--set ${path} replaces what --set ${lost} has set`, {
        hint: `write --set ${path} before --set ${lost}`,
      });
  }
  return assignments.reduce((changed, assignment) => {
    const { path, value } = parseAssignment(assignment);
    return withValue(changed, path, value);
  }, definition);
}

/**
 * Returns the error for a path that leads into a list. Such paths are refused: a list has no keys, and its positions
 * would change with each added entry.
 */
function insideList(where: string, at: string): CoexistError {
  return new CoexistError('bad-definition', `${where}: "${at}" is a list, and a path cannot reach into a list`, {
    hint: `give the whole list as JSON, --set '${at}=[...]', or change it in the file of the study`,
  });
}

function unknownPath(where: string, at: string, key: string, known: string[]): CoexistError {
  return unknownName('bad-definition', `${where}: there is no "${at}" in this study`, key, known);
}

/**
 * Returns `base` with the values of `change`. Objects are merged key by key, and other values are replaced. An object
 * with another `id` is another plug-in, so it replaces the whole object, with the parameters of the old plug-in.
 */
export function overlay(base: unknown, change: unknown): unknown {
  if (!isTree(base) || !isTree(change)) return change;
  if (change['id'] !== undefined && base['id'] !== undefined && change['id'] !== base['id']) return change;
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(change)) merged[key] = key in base ? overlay(base[key], value) : value;
  return merged;
}
