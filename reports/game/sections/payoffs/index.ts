/** Section with the payoff of each player in every measured state: mean, bounds and number of trials. */
import { object } from '../../../../core/schema/schema.ts';
import { percent } from '../../../../core/text/units.ts';
import type { GameCaseSummary, StateSummary } from '../../../../harness/studies/game/summary.ts';
import { formatInterval, formatMedian } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { type GameReport, measuredSign, nameOf, stateWords } from '../../data.ts';

function rowsOf({ summary }: GameReport, game: GameCaseSummary, state: StateSummary): Html[] {
  const prefix = summary.games.length === 1 ? '' : `${nameOf(game)}: `;
  return state.payoffs.flatMap((own, g) =>
    own.flatMap((mean, s) => {
      if (mean === null) return [];
      const { name, rttMs } = game.groups[g]!;
      const group = game.groups.length === 1 ? '' : `${name}${rttMs === null ? '' : ` (${rttMs} ms)`}, `;
      const shown = measuredSign(summary, mean);
      const { unit } = summary.payoff;
      const bounds = formatInterval(shown, unit);
      return [
        html`<tr><th>${prefix}${stateWords(game, state.counts)}</th>
<td>${group}${game.strategies[s]!.title}</td>
<td>${state.counts[g]![s]!}</td>
<td>${formatMedian(shown, unit)}</td>
<td>${bounds === '' ? '\u2013' : bounds}</td>
<td>${mean.n}</td></tr>`,
      ];
    }),
  );
}

/** Returns the section; null if no state was measured. */
function render(report: GameReport): Html | null {
  const { games, payoff, confidence } = report.summary;
  const rows = games.flatMap(game => game.states.flatMap(state => rowsOf(report, game, state)));
  if (rows.length === 0) return null;
  return html`<div class="scroll"><table><thead><tr><th>State</th>
<th>Player</th>
<th>Players</th>
<th>${payoff.title} of each</th>
<th>Bounds</th>
<th>n</th></tr></thead>
<tbody>${rows}</tbody></table></div>
<p class="note">Mean over trials, and over the players of a group with one strategy. Bounds of the mean at
${percent(confidence)} confidence, valid at any stopping time; they need three trials and contain only possible values${
    payoff.unit === 'bit/s' ? ', from 0 to an equal part of the rate of the link' : ''
  }.</p>`;
}

export const plugin: ReportSection<GameReport> = {
  id: 'payoffs',
  title: 'Payoff of each player',
  source: 'own',
  params: object({}),
  order: 75,
  render,
};
