/** The request that the words of `npm test` make. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot as root } from '../../core/system/paths.ts';
import { type Part, parts } from './parts.ts';

export const tools = ['lint', 'types'] as const;

export type Request = {
  tools: string[];
  /** The files of each part that has some, paths from the root. */
  files: { part: Part; files: string[] }[];
  /** Files that the request names run whatever is known of them. */
  named: ReadonlySet<string>;
  /** Also those that are unchanged since they passed. */
  isWhole: boolean;
  /** Options of "node --test". */
  flags: string[];
};

/** A mistake in the words; the message is for whoever typed them. */
export class BadRequest extends Error {}

const filesOf = (part: string) => globSync(`tests/${part}/**/*.test.ts`, { cwd: root }).sort();
/** Files that name their tests after plug-ins. */
const namedByPlugins = 'contract';

/** Every N-th file from the K-th on, where K/N is asked for. */
function sharded(files: string[], shard: string | undefined): string[] {
  if (shard === undefined) return files;
  const [, k, of] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(shard) ?? [];
  if (Number(k) > Number(of) || k === undefined) throw new BadRequest(`--shard=${shard} is not K/N with K at most N`);
  return files.filter((_, i) => i % Number(of) === Number(k) - 1);
}

/** With a pattern only files whose text has it have such tests; those of the contracts are named after plug-ins. */
function withPattern(part: string, files: string[], patterns: readonly RegExp[]): string[] {
  if (patterns.length === 0 || part === namedByPlugins) return files;
  return files.filter(file => patterns.some(pattern => pattern.test(readFileSync(join(root, file), 'utf8'))));
}

function patternOf(text: string): RegExp {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/.exec(text) ?? [];
  try {
    return source === undefined ? new RegExp(text) : new RegExp(source, flags);
  } catch {
    throw new BadRequest(`--test-name-pattern=${text} is not a regular expression`);
  }
}

/** `argv`: parts, files of tests/long by name, paths of files and folders, and options. Throws BadRequest. */
export function requestOf(argv: readonly string[]): Request {
  const words = argv.filter(word => !word.startsWith('-'));
  const options = argv.filter(word => word.startsWith('-'));
  const flags = options.filter(word => word !== '--all' && !word.startsWith('--shard='));
  for (const flag of flags)
    if (!flag.startsWith('--test-') && !process.allowedNodeEnvironmentFlags.has(flag.replace(/=.*/s, '')))
      throw new BadRequest(`there is no option ${flag}; known: --all, --shard=K/N and those of "node --test"`);
  const valuesOf = (name: string) =>
    options.flatMap(word => (word.startsWith(`--${name}=`) ? [word.slice(name.length + 3)] : []));
  const patterns = valuesOf('test-name-pattern').map(patternOf);
  const shard = valuesOf('shard').at(-1);
  const known = [...tools, ...parts.map(({ id }) => id)];
  const every = parts.flatMap(({ id }) => filesOf(id));
  const named = new Set<string>();
  for (const word of words.filter(one => !known.includes(one))) {
    const path = word.replace(/^\.\//, '').replace(/\/$/, '');
    const long = `tests/long/${word}.test.ts`;
    const found = every.filter(file => file === long || file === path || file.startsWith(`${path}/`));
    if (found.length === 0)
      throw new BadRequest(
        `there are no tests in ${word}; known: ${known.join(', ')}, and paths of test files and folders`,
      );
    for (const file of found) named.add(file);
  }
  const isAsked = ({ id, isExtra }: Part) => (words.length === 0 ? isExtra !== true : words.includes(id));
  const filesIn = (part: Part) => {
    const own = filesOf(part.id);
    const some = own.filter(file => named.has(file));
    return some.length > 0 ? some : isAsked(part) ? own : [];
  };
  const files = parts.map(part => ({
    part,
    files: withPattern(part.id, sharded(filesIn(part), shard), patterns),
  }));
  return {
    // each shard would look at the same files
    tools: tools.filter(
      tool => (words.length === 0 || words.includes(tool)) && (shard === undefined || /^1\//.test(shard)),
    ),
    files: files.filter(one => one.files.length > 0),
    named,
    isWhole: options.includes('--all'),
    flags,
  };
}
