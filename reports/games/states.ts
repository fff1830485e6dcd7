/** The certificate of every state, the path that the search took, and what states cost. */
import type { GameCaseSummary, StateSummary } from '../../harness/games/summary.ts';
import type { BesideQuantity } from '../../harness/games/measure.ts';
import { formatNumber, formatValue } from '../format.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import {
  besideWords,
  gainWords,
  idWords,
  meanHtml,
  nameOf,
  regretWords,
  stateVerdictWords,
  stateWords,
  verdictWords,
} from './data.ts';
import type { GameReport } from './data.ts';

function deviationRows({ summary }: GameReport, game: GameCaseSummary, { deviations }: StateSummary): Html {
  const name = (id: string) => game.strategies.find(strategy => strategy.name === id)?.title ?? id;
  return html`<table><thead><tr><th>Switch</th><th>Gain</th><th>Bounds</th><th>Verdict</th><th>To decide it</th></tr></thead><tbody>${deviations.map(
    ({ group, from, to, gain, low, high, verdict, trialsNeeded }) => html`<tr>
<td>${game.groups.length === 1 ? null : `${group}: `}${name(from)} \u2192 ${name(to)}</td><td>${gainWords(summary, game, gain)}</td><td>${low === null || high === null ? '\u2013' : `${gainWords(summary, game, low)} to ${gainWords(summary, game, high)}`}</td><td>${verdictWords[verdict]}</td><td>${trialsNeeded === null ? '\u2013' : `about ${trialsNeeded} trials of both states`}</td></tr>`,
  )}</tbody></table>`;
}

function stateRow(report: GameReport, game: GameCaseSummary, state: StateSummary): Html {
  const { summary } = report;
  const tolerances = Object.entries(state.at)
    .map(([title, verdict]) => `${title}: ${stateVerdictWords[verdict]}`)
    .join(', ');
  const css = { equilibrium: 'valid', refuted: 'invalid', open: 'degraded' }[state.verdict];
  return html`<details><summary><b>${stateWords(game, state.counts)}</b> \u2013 <span class="${css}">${stateVerdictWords[state.verdict]}</span>${state.regret === null ? null : `, regret at most ${regretWords(summary, game, state.regret)}`}, ${state.trials} ${state.trials === 1 ? 'trial' : 'trials'}</summary>
<div class="scroll"><table><thead><tr>${game.groups.length === 1 ? null : html`<th>Group</th>`}${game.strategies.map(({ title }) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${state.payoffs.map((own, g) => html`<tr>${game.groups.length === 1 ? null : html`<th>${game.groups[g]!.name}${game.groups[g]!.rttMs === null ? null : html`<small>${game.groups[g]!.rttMs} ms</small>`}</th>`}${own.map((mean, k) => html`<td>${meanHtml(summary, mean)}${state.counts[g]![k] === 0 ? null : html`<small>${state.counts[g]![k]} ${state.counts[g]![k] === 1 ? 'player' : 'players'}</small>`}</td>`)}</tr>`)}</tbody></table>
${deviationRows(report, game, state)}</div><p class="note">At other tolerances: ${tolerances}. By the paper's rule: ${state.paper === null ? 'trials are missing' : state.paper ? 'an equilibrium' : 'none'}.</p></details>`;
}

export function certificatesSection(report: GameReport): Html {
  return html`${report.summary.games.map(game => html`<h3>${nameOf(game)}</h3>${game.states.map(state => stateRow(report, game, state))}`)}
<p class="note">Gains${report.summary.payoff.unit === 'bit/s' ? ' are of the fair share' : ''}; the upper bound is that of one switch, the lower one is corrected for the number of switches (Bonferroni). A state is an equilibrium when every upper bound is below the tolerance, and none when one lower bound is above it.</p>`;
}

/** Null where nothing was searched. */
export function pathSection({ summary: { games } }: GameReport): Html | null {
  const ends = { equilibrium: 'an equilibrium', cycle: 'a cycle', undecided: 'undecided' } as const;
  const searched = games.filter(
    ({ answer }) =>
      (answer?.walks.length ?? 0) > 0 &&
      answer!.walks.some(({ passed }) => passed.length > 1 || answer!.walks.length <= 3),
  );
  if (searched.length === 0) return null;
  return html`${searched.map(game => html`<h3>${nameOf(game)}</h3><ul>${game.answer!.walks.map(({ passed, end }) => html`<li>${passed.map(id => idWords(game, id)).join(' \u2192 ')}: ${ends[end]}</li>`)}</ul>`)}
<p class="note">The path that the trials show in the end: a step that was taken by chance and taken back is not in it.</p>`;
}

export function costsSection({ summary }: GameReport): Html {
  const { games, payoff } = summary;
  const besides = [...new Set(games.flatMap(({ states }) => states.flatMap(({ beside }) => Object.keys(beside))))];
  const shownOf = (name: string) =>
    (Object.keys(besideWords) as BesideQuantity[]).filter(id =>
      games.some(({ states }) => states.some(({ beside }) => beside[name]?.[id] != null)),
    );
  const share = (value: number | null | undefined) => (value == null ? '\u2013' : `${formatNumber(value, 'ratio')} %`);
  return html`<div class="scroll"><table><thead><tr><th>State</th><th>Sum of payoffs</th>${payoff.unit === 'bit/s' ? html`<th>Jain's index</th>` : null}<th>Link in use</th><th>RTT, median</th>${besides.flatMap(name => shownOf(name).map(id => html`<th>${name}: ${besideWords[id].title}</th>`))}</tr></thead>
<tbody>${games.flatMap(game =>
    game.states.map(
      state => html`<tr><th>${games.length === 1 ? null : `${nameOf(game)}: `}${stateWords(game, state.counts)}${state.verdict === 'equilibrium' ? html`<small class="valid">equilibrium</small>` : null}</th>
<td>${formatValue(state.total === null ? null : (payoff.better === 'lower' ? -1 : 1) * state.total, payoff.unit)}</td>${payoff.unit === 'bit/s' ? html`<td>${state.jain === null ? '\u2013' : state.jain.toFixed(3)}</td>` : null}<td>${share(state.link['link-utilisation'])}</td><td>${formatValue(state.link['rtt-median'] ?? null, 'ms')}</td>
${besides.flatMap(name => shownOf(name).map(id => html`<td>${formatValue(state.beside[name]?.[id] ?? null, besideWords[id].unit)}</td>`))}</tr>`,
    ),
  )}</tbody></table></div>
<p class="note">Means over trials.${payoff.unit === 'bit/s' ? " Jain's index is of the players' mean payoffs; those of one group and strategy are taken as alike." : null}</p>`;
}
