/** Whether a shorter window would have given the same payoffs. */
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
  const { unit } = summary.payoff;
  const cell = (row: Row, value: number | null) => {
    if (value === null) return html`<td>\u2013</td>`;
    const change = difference(row, value)!;
    const percent = `${change > 0 ? '+' : ''}${formatNumber(change, 'ratio')} %`;
    return html`<td>${formatValue(value, unit)}<small>${percent} of the fair share</small></td>`;
  };
  const cells = rows.map(row => {
    const { game, state, group, strategy, whole, trials, shorter } = row;
    const prefix = summary.games.length === 1 ? '' : `${nameOf(game)}: `;
    return html`<tr><th>${prefix}${stateWords(game, state.counts)}</th>
<td>${game.groups[group]!.name}, ${game.strategies[strategy]!.title}</td>
<td>${formatValue(whole, unit)}<small>n = ${trials}</small></td>
${shorter.map(value => cell(row, value))}</tr>`;
  });
  const within = lengths.map((length, k) => {
    const percent = formatNumber(most[k]!, 'ratio');
    return `${formatDuration(length)} alone give payoffs within ${percent} % of the fair share`;
  });
  return html`<p>The first ${within.join(', the first ')} of those of the whole ${formatDuration(run.windowMs)}.</p>
<details><summary>Each state</summary><div class="scroll"><table><thead><tr><th>State</th>
<th>Player</th>
<th>Whole window</th>
${lengths.map(length => html`<th>First ${formatDuration(length)}</th>`)}</tr></thead>
<tbody>${cells}</tbody></table></div></details>
<p class="note">Means over trials. Where a shorter window differs by less than the tolerance, it would do.</p>`;
}
