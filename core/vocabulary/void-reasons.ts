/** Why a try of a trial is void: whether the machine alone is to blame, and what several tries have in common. */

/** The part of a verdict (harness/record/trial-file.ts) that this needs. */
type Judged = { findings: readonly { kind: string; status: string; message: string }[] };

/** Whether every reason why a try is void, if it is, is a disturbance of a host. */
export function onlyHostDisturbed({ findings }: Judged): boolean {
  return findings.every(({ status, kind }) => status !== 'invalid' || kind === 'host');
}

/** "the media server was held up for ... ms", without what follows a colon: the readings of a link. */
export const withoutNumbers = (message: string) => message.split(': ')[0]!.replace(/\d+(?:[.,]\d+)?/g, '\u2026');

/** What made a try void, each reason once and without its numbers: equal in all tries that have it. */
export function voidReasons({ findings }: Judged): string[] {
  const own = findings.filter(({ status }) => status === 'invalid').map(({ message }) => withoutNumbers(message));
  return [...new Set(own)];
}

/** The same for people: every message with its numbers. */
export function voidWords({ findings }: Judged): string {
  return findings
    .filter(({ status }) => status === 'invalid')
    .map(({ message }) => message)
    .join('; ');
}
