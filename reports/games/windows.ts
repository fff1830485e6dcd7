/** Whether a shorter window would have told the same payoffs. */
import { formatDuration } from '../../core/units.ts';
import type { GameCaseSummary, StateSummary } from '../../harness/games/summary.ts';
import { formatNumber, formatValue } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { nameOf, stateWords } from './data.ts';
import type { GameReport } from './data.ts';

type Row = {
  game: GameCaseSummary;
  state: StateSummary;
  group: number;
  strategy: number;
  whole: number;
  trials: number;
  shorter: (number | null)[];
};

/** Null where no trial was long enough, or the payoff is no rate. */
export function windowsSection({ plan: { run }, summary }: GameReport): Html | null {
  const lengths = [
    ...new Set(
      summary.games.flatMap(({ states }) => states.flatMap(({ shorter }) => shorter.map(({ windowMs }) => windowMs))),
    ),
  ].sort((a, b) => a - b);
  if (lengths.length === 0) return null;
  const rows = summary.games.flatMap(game =>
    game.states.flatMap(state =>
      state.payoffs.flatMap((own, group) =>
        own.flatMap((mean, strategy): Row[] =>
          mean === null
            ? []
            : [
                {
                  game,
                  state,
                  group,
                  strategy,
                  whole: mean.value,
                  trials: mean.n,
                  shorter: lengths.map(
                    length =>
                      state.shorter.find(({ windowMs }) => windowMs === length)?.payoffs[group]?.[strategy] ?? null,
                  ),
                },
              ],
        ),
      ),
    ),
  );
  const difference = ({ game, whole }: Row, value: number | null) =>
    value === null ? null : (value - whole) / game.fairShareBps;
  const most = lengths.map((_, k) => Math.max(0, ...rows.map(row => Math.abs(difference(row, row.shorter[k]!) ?? 0))));
  const cell = (row: Row, value: number | null) =>
    value === null
      ? html`\u2013`
      : html`${formatValue(value, summary.payoff.unit)}<small>${difference(row, value)! > 0 ? '+' : ''}${formatNumber(difference(row, value)!, 'ratio')} % of the fair share</small>`;
  return html`<p>The first ${lengths.map((length, k) => `${formatDuration(length)} alone give payoffs within ${formatNumber(most[k]!, 'ratio')} % of the fair share`).join(', the first ')} of those of the whole ${formatDuration(run.windowMs)}.</p>
<details><summary>Each state</summary><div class="scroll"><table><thead><tr><th>State</th><th>Player</th><th>Whole window</th>${lengths.map(length => html`<th>First ${formatDuration(length)}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr><th>${summary.games.length === 1 ? null : `${nameOf(row.game)}: `}${stateWords(row.game, row.state.counts)}</th><td>${row.game.groups[row.group]!.name}, ${row.game.strategies[row.strategy]!.title}</td><td>${formatValue(row.whole, summary.payoff.unit)}<small>n = ${row.trials}</small></td>${row.shorter.map(value => html`<td>${cell(row, value)}</td>`)}</tr>`)}</tbody></table></div></details>
<p class="note">Means over trials. Where a shorter window differs by less than the tolerance, it would do.</p>`;
}
