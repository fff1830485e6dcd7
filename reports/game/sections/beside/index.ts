/** Section on the harm that the players' choices cause to applications that are not players. */
import { object } from '../../../../core/schema/schema.ts';
import { formatNumber, formatValue } from '../../../format.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { besideWords, type GameReport, idWords, nameOf } from '../../data.ts';

/** Returns the section. Null if no game has an equilibrium, or if no application runs beside the players. */
function render({ summary: { games } }: GameReport): Html | null {
  const rows = games.flatMap(game => game.besideHarm.map(of => ({ game, of })));
  if (rows.length === 0) return null;
  const isOneGame = games.length === 1;
  const cells = rows.map(({ game, of: { application, quantity, worst, best, harm } }) => {
    const { title, unit } = besideWords[quantity];
    const cell = ({ id, value }: typeof worst) =>
      html`<td>${formatValue(value, unit)}<small>${idWords(game, id)}</small></td>`;
    return html`<tr>${isOneGame ? null : html`<td>${nameOf(game)}</td>`}
<th scope="row">${application}: ${title}</th>${cell(worst)}${cell(best)}
<td><b>${formatNumber(harm, 'ratio')} %</b></td></tr>`;
  });
  return html`<div class="scroll"><table><thead><tr>${isOneGame ? null : html`<th>Game</th>`}
<th>Beside the players</th>
<th>At the equilibrium</th>
<th>In its best state</th>
<th>Harm</th></tr></thead>
<tbody>${cells}</tbody></table></div>
<p class="note">The price of anarchy for those who choose nothing: what they lose at the equilibrium that is worst for
them, against the state that is best for them, of all states that were measured. Harm (Ware et al., 2019) is
(best \u2212 equilibrium) / best where more is better, and (equilibrium \u2212 best) / equilibrium where less is:
0 % is none, 100 % is all of it. Means over trials, without an interval; a state that was not measured may be better
still.</p>`;
}

export const plugin: ReportSection<GameReport> = {
  id: 'beside',
  title: 'Harm to the applications beside the players',
  source: 'Ware et al., HotNets 2019',
  params: object({}),
  order: 20,
  render,
};
