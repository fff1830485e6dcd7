/**
 * Sentences on the agreement of links: at which base round-trip times the links agree, and by how much they differ at
 * the other times.
 */

import { significance } from '../../../core/stats/false-discovery.ts';
import { counted } from '../../../core/text/counted.ts';
import { inSentence } from '../../../core/text/in-sentence.ts';
import { listed } from '../../../core/text/listed.ts';
import { formatDuration } from '../../../core/text/units.ts';
import { formatChangeWithInterval } from '../../format.ts';
import { type Html, html } from '../../html.ts';
import { type Agreement, type Agreements, type Compared, fewest, type Meeting } from './agreement.ts';

const sizeOf = ({ quantity: { title, unit }, shift }: Compared) =>
  `${inSentence(title)} ${formatChangeWithInterval(shift, unit)}`;

/** Formats the numbers of trials on both links: "n = 6", or "n = 6 and 8" if they differ. */
const countOf = ({ serialising, other }: Meeting['trials']) =>
  serialising === other ? `n = ${serialising}` : `n = ${serialising} and ${other}`;

const isJudged = ({ compared }: Meeting) => compared.length > 0;
const hasDifference = ({ compared }: Meeting) => compared.some(({ differs }) => differs);

function sentence({ flood, serialising, other }: Agreement, { rttMs, trials, compared }: Meeting): string {
  const where = `${formatDuration(rttMs)}, ${flood}: ${other} against ${serialising} (${countOf(trials)}):`;
  if (compared.length === 0) return `${where} fewer than ${fewest} trials of each, too few to claim anything.`;
  const changed = compared.filter(({ differs }) => differs).map(sizeOf);
  const same = compared.filter(({ differs }) => !differs).map(sizeOf);
  return `${where} ${[
    ...(changed.length === 0 ? [] : [`they differ in ${listed(changed)}`]),
    ...(same.length === 0 ? [] : [`no difference was seen in ${listed(same)}`]),
  ].join('; ')}.`;
}

/**
 * Describes the comparison of two backends: "tc beside 1 x BBRv3: no difference was seen from 2 ms on (n = 6, judged at
 * 0 ms, 2 ms and 20 ms)".
 */
function clause({ flood, other, meetings }: Agreement): string {
  const name = `${other} beside ${flood}:`;
  const judged = meetings.filter(isJudged);
  if (judged.length === 0) return `${name} fewer than ${fewest} trials of each link, too few to claim anything`;
  const n = Math.min(...judged.flatMap(({ trials }) => [trials.serialising, trials.other]));
  const at = `(n = ${n}, judged at ${listed(judged.map(({ rttMs }) => formatDuration(rttMs)))})`;
  const last = judged.findLastIndex(hasDifference);
  const next = judged[last + 1];
  if (last === -1) return `${name} no difference was seen at any base round-trip time ${at}`;
  return next === undefined
    ? `${name} a difference was seen up to ${formatDuration(judged[last]!.rttMs)}, the longest that was judged ${at}`
    : `${name} no difference was seen from ${formatDuration(next.rttMs)} on ${at}`;
}

/** Returns the sentences. Null if the study does not have both links that serialise and links that do not. */
export function sentencesOf({ agreements, tests, takes }: Agreements): Html | null {
  if (agreements.length === 0) return null;
  const judged = agreements.flatMap(({ meetings }) => meetings.filter(isJudged));
  const least = Math.min(...judged.flatMap(({ trials }) => [trials.serialising, trials.other]));
  const blind =
    judged.length === 0 || least >= takes
      ? ''
      : ` With ${least} trials one difference alone could not be shown, however large: ` +
        `among ${tests} tests that takes ${takes} of each link.`;
  const names = [...new Set(agreements.map(({ serialising }) => serialising))].join(' and ');
  const clauses = agreements.map(clause).join('; ');
  return html`<p id="link-agreement">Links that do not serialise against ${names}, which does: ${clauses}.</p>
<ul>${agreements.flatMap(one => one.meetings.map(meeting => html`<li>${sentence(one, meeting)}</li>`))}</ul>
<p class="note">Numbers: not serialising minus serialising, with the interval of the difference. They differ: p below
${significance} after the correction for ${counted(tests, 'test')}, from ${fewest} trials of each on,
and an interval without 0. A difference that was not seen may still be there, as large as the interval
says.${blind}</p>`;
}
