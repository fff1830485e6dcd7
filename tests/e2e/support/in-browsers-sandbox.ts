/** A program of the system's in the browser's sandbox: as confined as a browser, in a network namespace. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../core/system/command.ts';
import { type BrowserCommandOptions, browserCommand } from '../../../harness/trial/browser/browser-command.ts';

/** What a shell says there to a script. `scratch`: a folder for what the sandbox needs. */
export async function tellInSandbox(
  namespace: string,
  scratch: string,
  script: string,
  options: Partial<BrowserCommandOptions> = {},
): Promise<string> {
  const directory = mkdtempSync(join(scratch, 'one-'));
  const { command, environment } = await browserCommand(
    { executable: '/bin/sh', headed: false, ...options },
    directory,
  );
  const argv = ['nsenter', `--net=/run/netns/${namespace}`, '--', ...command, '-c', script];
  const { stdout, stderr } = await run(argv, { env: environment, allowFailure: true });
  return `${stdout}${stderr}`.trim();
}

/** A script that says for each place whether a connection to it opens, else why not, a line each. */
export const connecting = (places: readonly (readonly [address: string, port: number])[]): string =>
  `python3 -c '
import socket
for place in [${places.map(([address, port]) => `("${address}", ${port})`).join(', ')}]:
  try: socket.create_connection(place, 2); print("reached")
  except OSError as error: print(type(error).__name__)
'`;
