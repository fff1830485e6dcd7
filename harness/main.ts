/** The command line: `npm run COMMAND -- OPTIONS` ends here, on the pinned Node, with everything installed. */
import { CoexistError, exitStatus } from '../core/errors.ts';
import { unknownName } from '../core/nearest.ts';
import { faultText, printable } from '../core/printable.ts';
import { HelpAsked } from './cli/arguments.ts';
import { watchOutput } from './cli/closed-output.ts';

type CommandModule = { command(argv: string[]): Promise<number> };

const commands: Record<string, () => Promise<CommandModule>> = {
  experiment: () => import('./cli/experiment.ts'),
  demo: () => import('./cli/demo.ts'),
  pairs: () => import('./cli/pairs.ts'),
  game: () => import('./cli/game.ts'),
  worker: () => import('./cli/worker.ts'),
  queue: () => import('./cli/queue.ts'),
  report: () => import('./cli/report.ts'),
  verify: () => import('./cli/verify.ts'),
  export: () => import('./cli/export.ts'),
  doctor: () => import('./cli/doctor.ts'),
  clean: () => import('./cli/clean.ts'),
  docs: () => import('./cli/docs.ts'),
  new: () => import('./cli/new.ts'),
};

async function main([name = '', ...argv]: string[]): Promise<number> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw unknownName('usage', `there is no command "${name}"`, name, Object.keys(commands));
  return (await load()).command(argv);
}

watchOutput();
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof HelpAsked) process.stdout.write(`${error.usage}\n`);
  else if (error instanceof CoexistError) {
    process.stderr.write(`${printable(error.line)}\n`);
    process.exitCode = error.exitStatus;
  } else {
    process.stderr.write(faultText(error));
    process.exitCode = exitStatus.machineCannot;
  }
}
