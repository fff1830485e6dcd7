/** Table with the answer of each game, the paper's statement about it, and the result of the paper's rule. */

import { object } from '../../../../core/schema/schema.ts';
import { counted } from '../../../../core/text/counted.ts';
import { listed } from '../../../../core/text/listed.ts';
import { percent } from '../../../../core/text/units.ts';
import type { GameCaseSummary, StateSummary } from '../../../../harness/studies/game/summary.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { type GameReport, idWords, nameOf, regretWords, stateOf } from '../../data.ts';
import { cycleWords, describeAnswer, neededWords, othersWords, undecidedAt } from '../../others.ts';

const priceSaid =
  ' Price of anarchy: the largest sum of payoffs of any state measured, over the least of an equilibrium; biased ' +
  'upwards, since noise has usually raised the largest of many sums.';
const mixedSaid =
  ' Mixed equilibrium: the probability with which each would play the strategy, ' +
  'from the means of the measured states, with straight lines between.';

function answerHtml({ summary }: GameReport, game: GameCaseSummary): Html {
  const { answer } = game;
  if (answer === null) return html`<span class="degraded">not complete</span>`;
  const list = answer.states.map(id => idWords(game, id));
  const regrets = answer.states.flatMap(id => stateOf(game, id)?.regret ?? []);
  const upTo =
    regrets.length === 0
      ? null
      : html`<small>nobody gains more than ${regretWords(summary, game, Math.max(...regrets))}</small>`;
  const besides = othersWords(answer);
  const others = besides === null ? null : html`<small>${besides}</small>`;
  switch (answer.kind) {
    case 'equilibrium':
      return html`<b>${list[0]}</b>${upTo}${others}`;
    case 'equilibria':
      return html`${list.map(one => html`<b>${one}</b><br>`)}${upTo}${others}`;
    case 'cycle':
      return html`best responses form ${cycleWords(answer, id => idWords(game, id))}${others}`;
    case 'none':
      return html`none: in every state, some player gains by a switch`;
    case 'measured':
      return html`nothing was searched: ${counted(answer.states.length, 'state')} measured`;
    case 'undecided':
      return html`<span class="degraded">undecided</span>${undecidedAt(list)}<small>${neededWords(answer)}</small>`;
  }
}

/** Describes a state that was given up: the number of its trials, or that it could not be measured. */
function givenUpWords(state: StateSummary | undefined): string {
  if (state === undefined || state.trials === 0) return 'could not be measured';
  return `no more trials were run after ${state.trials} that count`;
}

function paperRule(game: GameCaseSummary): string {
  const { named, asked } = game.paper;
  if (asked === 0) return '\u2013';
  return named.length === 0
    ? `none of ${asked} states`
    : `${named.map(id => idWords(game, id)).join(' and ')}${asked < 2 ? '' : `, of ${asked} states`}`;
}

function render(report: GameReport): Html {
  const { games, payoff, confidence } = report.summary;
  const has = {
    published: games.some(({ published }) => published !== null),
    mixed: games.some(({ mixed }) => mixed !== null),
    price: games.some(({ priceOfAnarchy }) => priceOfAnarchy !== null),
  };
  const mixedWords = ({ mixed, strategies }: GameCaseSummary) =>
    mixed === null
      ? '\u2013'
      : mixed
          .map(
            ({ p, isStable }) => `${Math.round(p * 100)} % ${strategies[1]!.title}${isStable ? '' : ' (not stable)'}`,
          )
          .join(', ');
  const heads = html`<tr><th>Game</th>
<th>Equilibrium</th>
${has.published ? html`<th>The paper says</th>` : null}
<th>By the paper's rule, on our trials</th>
${has.mixed ? html`<th>Mixed equilibrium</th>` : null}
${has.price ? html`<th>Price of anarchy</th>` : null}
<th>Trials</th></tr>`;
  const rows = games.map(
    game => html`<tr><th>${nameOf(game)}<small>${game.link}</small></th>
<td>${answerHtml(report, game)}</td>
${has.published ? html`<td class="paper">${game.published ?? '\u2013'}</td>` : null}
<td>${paperRule(game)}</td>
${has.mixed ? html`<td>${mixedWords(game)}</td>` : null}
${has.price ? html`<td>${game.priceOfAnarchy === null ? '\u2013' : game.priceOfAnarchy.toFixed(3)}</td>` : null}
<td>${game.trials}${game.withoutPayoff === 0 ? null : html`<small>and ${game.withoutPayoff} without a payoff</small>`}${
      game.voided === 0 ? null : html`<small>and ${game.voided} void</small>`
    }</td></tr>`,
  );
  const isSearch = games.some(({ answer }) => answer?.scope === 'search');
  const tolerances = listed([...new Set(games.map(game => regretWords(report.summary, game, game.tolerance)))], 'or');
  const ofWhat = payoff.unit === 'bit/s' ? ' of the fair share' : '';
  const notMeasured = games.flatMap(game =>
    game.givenUp.map(
      ({ state, reason }) =>
        html`<p class="note warning">${nameOf(game)}, ${idWords(game, state)}: ${givenUpWords(stateOf(game, state))}:
${reason}</p>`,
    ),
  );
  return html`<div class="scroll"><table><thead>${heads}</thead>
<tbody>${rows}</tbody></table></div>
<p class="note">A state is an equilibrium if the trials show, for every single switch, that the player gains less than the
tolerance (${tolerances}${ofWhat}). Each switch is tested at ${percent(confidence)} confidence, valid at any stopping time.
${isSearch ? 'A search finds an equilibrium; it does not show that there is no other one.' : null} The paper's rule takes the
first three trials, no tolerance and no interval.
${has.price ? priceSaid : null}${has.mixed ? mixedSaid : null}</p>
${notMeasured}`;
}

export const plugin: ReportSection<GameReport> = {
  id: 'answers',
  title: 'Who would switch?',
  source: 'own',
  params: object({}),
  order: 10,
  render,
  lines: ({ summary }) => summary.games.map(describeAnswer),
};
