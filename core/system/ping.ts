/**
 * Parses the answers of ping(8), and checks that the installed program is that of iputils. Other programs named ping
 * (of inetutils, of BusyBox) lack the option -D or print in the user's language.
 */
import { CoexistError } from '../errors.ts';
import { printable } from '../text/printable.ts';
import type { Host } from './host.ts';

/**
 * Parses a line of `ping -D -n` about an answer: wall-clock time of the answer in s, sequence number, round-trip time.
 * Undefined for other lines.
 */
export function parsePingLine(line: string): { answeredS: number; sequence: number; rttMs: number } | undefined {
  const match = /^\[(\d+\.\d+)\] \d+ bytes from .*icmp_seq=(\d+) .*time=(\d+(?:\.\d+)?) ms/.exec(line);
  return match === null
    ? undefined
    : { answeredS: Number(match[1]), sequence: Number(match[2]), rttMs: Number(match[3]) };
}

/** True if a line looks like an answer in any language: it begins with a time and has a number and two equals signs. */
const looksLikeAnswer = (line: string) => /\d+ .*\w+=\d+ .*=\d/.test(line);

/**
 * Returns the first line that looks like an answer that `parsePingLine` cannot parse. Undefined if no line does, or if
 * at least one line can be parsed.
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
 * Returns the version of a host's ping. Throws `missing-program` if the program is not that of iputils: the host pings
 * itself, and the answer and the version are checked. Without an answer (in a user namespace without a route) only the
 * version is checked. `name`: name of the host in messages.
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
