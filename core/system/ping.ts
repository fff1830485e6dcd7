/**
 * ping(8) of iputils: parses its answers, and checks that the program on the path is this one. Programs of the same
 * name (of inetutils, of BusyBox) lack -D or print in the user's language.
 */
import { CoexistError } from '../errors.ts';
import { printable } from '../text/printable.ts';
import type { Host } from './host.ts';

/**
 * Parses a line of `ping -D -n`: wall-clock time of the answer in s, sequence number, round trip. Undefined for other
 * lines.
 */
export function parsePingLine(line: string): { answeredS: number; sequence: number; rttMs: number } | undefined {
  const match = /^\[(\d+\.\d+)\] \d+ bytes from .*icmp_seq=(\d+) .*time=(\d+(?:\.\d+)?) ms/.exec(line);
  return match === null
    ? undefined
    : { answeredS: Number(match[1]), sequence: Number(match[2]), rttMs: Number(match[3]) };
}

/** True if a line looks like an answer in any language: a time in front, a number and two equals signs. */
const looksLikeAnswer = (line: string) => /\d+ .*\w+=\d+ .*=\d/.test(line);

/**
 * Returns a line that looks like an answer but cannot be parsed. Undefined if there is none, or if any line can be
 * parsed.
 */
export function unreadAnswer(text: string): string | undefined {
  const lines = text.split('\n');
  return lines.some(line => parsePingLine(line) !== undefined) ? undefined : lines.find(looksLikeAnswer)?.trim();
}

const hint =
  'install that of iputils (on Debian: apt-get install iputils-ping), and take away what comes before it on the PATH ' +
  '("type -a ping" lists them)';

const foreign = (where: string, said: string) =>
  new CoexistError(
    'missing-program',
    `the program "ping"${where} is not that of iputils: it says "${printable(said)}"`,
    {
      hint,
    },
  );

/**
 * Returns the version of ping. Throws `missing-program` if it is not that of iputils. Pings the host itself; without an
 * answer (in a user namespace without a route) only the version counts. `name`: name of the host in messages.
 */
export async function requirePing(host: Pick<Host, 'run'>, name?: string): Promise<string> {
  const where = name === undefined ? '' : ` of ${name}`;
  const ask = async (...words: string[]) => {
    const { stdout, stderr } = await host.run(['ping', ...words], { allowFailure: true, timeoutMs: 5000 });
    return { stdout, said: (stdout.trim() || stderr.trim()).split('\n')[0]! };
  };
  const { stdout } = await ask('-n', '-D', '-c', '1', '-W', '1', '127.0.0.1');
  const unread = unreadAnswer(stdout);
  if (unread !== undefined) throw foreign(where, unread);
  const version = (await ask('-V')).said;
  if (!/\biputils\b/.test(version)) throw foreign(where, version === '' ? 'nothing' : version);
  return version;
}
