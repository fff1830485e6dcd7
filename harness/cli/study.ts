/** `npm run study`: runs a study of any kind by its name or file. */
import { CoexistError } from '../../core/errors.ts';
import { unknownName } from '../../core/text/nearest.ts';
import { loadStudy } from '../definition/load.ts';
import { kindOfFolder, loadKinds } from '../studies/kinds.ts';
import type { StudyKind } from '../studies/study.ts';
import { asksForHelp, HelpAsked } from './arguments.ts';
import { print } from './print.ts';
import { list, runStudyCommand } from './study-command.ts';

const usage =
  'npm run study -- NAME|FILE [options of its kind], or --resume DIR [...], or --list; ' +
  '"npm run experiment -- --help" and so on for the options of a kind';

/**
 * Returns the kind of study that a definition file is for. If the file does not name its kind, this is the kind with
 * the fewest validation errors.
 */
async function kindOfFile(file: string, kinds: ReadonlyMap<string, StudyKind>): Promise<StudyKind> {
  const { definition, kind: named } = await loadStudy<object>(file, undefined, { ofAnyKind: true });
  if (named !== undefined) {
    const kind = kinds.get(named);
    if (kind !== undefined) return kind;
    throw unknownName('bad-definition', `${file}: there is no kind of study "${named}"`, named, [...kinds.keys()]);
  }
  const complaints = [...kinds.values()].map(kind => {
    const parsed = kind.params.safeParse(definition);
    return { kind, count: parsed.success ? 0 : parsed.error.issues.length };
  });
  const [best] = complaints.sort((a, b) => a.count - b.count);
  return best!.kind;
}

export async function kindFor(argv: readonly string[], kinds: ReadonlyMap<string, StudyKind>): Promise<StudyKind> {
  const at = argv.findIndex(word => word === '--resume' || word.startsWith('--resume='));
  if (at !== -1) {
    const path = argv[at]!.slice('--resume='.length) || (argv[at + 1] ?? '');
    return (await kindOfFolder(path)).kind;
  }
  const [name] = argv;
  if (name === undefined || name.startsWith('-'))
    throw new CoexistError('usage', 'study needs the name or file of one, before its options', { hint: usage });
  const known: string[] = [];
  for (const kind of kinds.values()) {
    const names = await kind.names();
    if (names.includes(name)) return kind;
    known.push(...names);
  }
  if (/[/.]/.test(name)) return kindOfFile(name, kinds);
  throw unknownName('usage', `there is no study named "${name}"`, name, known, {
    more: '; or give the path of your own definition file',
  });
}

/** Runs the command. Returns the exit status. */
export async function command(argv: string[]): Promise<number> {
  if (asksForHelp(argv)) throw new HelpAsked(usage);
  const kinds = await loadKinds();
  if (argv.length === 1 && argv[0] === '--list') {
    for (const kind of kinds.values()) {
      print(`${kind.title} (npm run ${kind.id})\n`);
      await list(kind);
      print('\n');
    }
    return 0;
  }
  return runStudyCommand(await kindFor(argv, kinds), argv);
}
