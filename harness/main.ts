/** The command line: `npm run COMMAND -- OPTIONS` ends here, on the pinned Node, with everything installed. */
import { watchOutput } from './cli/closed-output.ts';
import { runCommand } from './cli/commands.ts';

watchOutput();
process.exitCode = await runCommand(process.argv.slice(2));
