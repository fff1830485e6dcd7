/** Holds all commands by name, including the commands of the kinds of study. Runs a command and prints its errors. */
import { CoexistError, exitStatus } from '../../core/errors.ts';
import { unknownName } from '../../core/text/nearest.ts';
import { faultText, printable } from '../../core/text/printable.ts';
import { HelpAsked } from './arguments.ts';

type CommandModule = { command(argv: string[]): Promise<number> };

const commands: Record<string, () => Promise<CommandModule>> = {
  study: () => import('./study.ts'),
  demo: () => import('./demo.ts'),
  worker: () => import('./worker.ts'),
  queue: () => import('./queue.ts'),
  report: () => import('./report.ts'),
  verify: () => import('./verify.ts'),
  export: () => import('./export.ts'),
  doctor: () => import('./doctor.ts'),
  clean: () => import('./clean.ts'),
  docs: () => import('./docs.ts'),
  site: () => import('./site.ts'),
  new: () => import('./new.ts'),
  traces: () => import('./traces.ts'),
};

async function run([name = '', ...argv]: readonly string[]): Promise<number> {
  if (Object.hasOwn(commands, name)) return (await commands[name]!()).command(argv);
  const { kindNamed, loadKinds } = await import('../studies/kinds.ts');
  const kind = await kindNamed(name);
  if (kind !== undefined) return (await import('./study-command.ts')).runStudyCommand(kind, argv);
  const names = [...Object.keys(commands), ...(await loadKinds()).keys()];
  throw unknownName('usage', `there is no command "${name}"`, name, names);
}

/** Runs a command and prints its error. Resolves to the exit status. */
export async function runCommand(words: readonly string[]): Promise<number> {
  try {
    return await run(words);
  } catch (error) {
    if (error instanceof HelpAsked) {
      process.stdout.write(`${error.usage}\n`);
      return exitStatus.done;
    }
    if (error instanceof CoexistError) {
      process.stderr.write(`${printable(error.line)}\n`);
      return error.exitStatus;
    }
    process.stderr.write(faultText(error));
    return exitStatus.unexpected;
  }
}
