/** Reasons why tries are void: whether only the machine is to blame, and reasons that several tries share. */

/** The part of a verdict (harness/record/trial-file.ts) that this file uses. */
type Judged = { findings: readonly { kind: string; status: string; message: string }[] };

/** True if no reason for a void verdict lies outside the host. Also true for a try that is not void. */
export function onlyHostDisturbed({ findings }: Judged): boolean {
  return findings.every(({ status, kind }) => status !== 'invalid' || kind === 'host');
}

/**
 * Returns "the media server was held up for ... ms": without numbers, and without the readings of a link after a colon.
 */
export const withoutNumbers = (message: string) => message.split(': ')[0]!.replace(/\d+(?:[.,]\d+)?/g, '\u2026');

/** Returns each reason for a void try once and without numbers, so that tries with the same reason give equal texts. */
export function voidReasons({ findings }: Judged): string[] {
  const own = findings.filter(({ status }) => status === 'invalid').map(({ message }) => withoutNumbers(message));
  return [...new Set(own)];
}

/** Returns the full messages of all reasons for a void try, with numbers. */
export function voidWords({ findings }: Judged): string {
  return findings
    .filter(({ status }) => status === 'invalid')
    .map(({ message }) => message)
    .join('; ');
}
