/** Reasons why tries of a trial are void. */

/** Part of a verdict (harness/record/trial-file.ts) that this file uses. */
type Judged = { findings: readonly { kind: string; status: string; message: string }[] };

/** True if every reason why the try is void lies in the host. Also true for a try that is not void. */
export function onlyHostDisturbed({ findings }: Judged): boolean {
  return findings.every(({ status, kind }) => status !== 'invalid' || kind === 'host');
}

/**
 * Returns a message with "..." in place of each number, for example "the media server was held up for ... ms". The text
 * from the first colon on is left out; for a link it holds readings.
 */
export const withoutNumbers = (message: string) => message.split(': ')[0]!.replace(/\d+(?:[.,]\d+)?/g, '\u2026');

/**
 * Returns the reasons why a try is void, without numbers and each one once. So tries that are void for the same reason
 * give equal texts.
 */
export function voidReasons({ findings }: Judged): string[] {
  const own = findings.filter(({ status }) => status === 'invalid').map(({ message }) => withoutNumbers(message));
  return [...new Set(own)];
}

/** Returns the full messages of all reasons why a try is void, with numbers, as one text. */
export function voidWords({ findings }: Judged): string {
  return findings
    .filter(({ status }) => status === 'invalid')
    .map(({ message }) => message)
    .join('; ');
}
