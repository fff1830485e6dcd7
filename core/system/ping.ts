/**
 * ping(8) of iputils: how its answers are read, and whether the program on the path is that one. Others bear the same
 * name (of inetutils, of BusyBox), know no -D, or answer in the user's language.
 */
import { CoexistError } from '../errors.ts';
import { printable } from '../text/printable.ts';
import type { Host } from './host.ts';

/** A line of `ping -D -n`: the wall-clock time of the answer in s, its number, its round trip. */
export function parsePingLine(line: string): { answeredS: number; sequence: number; rttMs: number } | undefined {
  const match = /^\[(\d+\.\d+)\] \d+ bytes from .*icmp_seq=(\d+) .*time=(\d+(?:\.\d+)?) ms/.exec(line);
  return match === null
    ? undefined
    : { answeredS: Number(match[1]), sequence: Number(match[2]), rttMs: Number(match[3]) };
}

/** What a line that tells of an answer has in every language: a time before it, a number and two equals signs. */
const looksLikeAnswer = (line: string) => /\d+ .*\w+=\d+ .*=\d/.test(line);

/** A line that is an answer and cannot be read; undefined where each that there is can be. */
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
 * Its version. Throws `missing-program` where what it says cannot be read: found by asking this machine itself, or,
 * where that does not answer (in a user namespace without a way to it), by its version.
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
