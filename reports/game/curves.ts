/** Charts of payoffs over the number of players of the second strategy, and over the buffer if the study varies it. */

import { inSentence } from '../../core/text/in-sentence.ts';
import { percent } from '../../core/text/units.ts';
import type { GameCaseSummary, MeanValue, StateSummary } from '../../harness/studies/game/summary.ts';
import type { ChartLine } from '../charts/chart-data.ts';
import { seriesChart } from '../charts/series-chart.ts';
import { scaleToShown, shownUnit } from '../format.ts';
import { type Html, html } from '../html.ts';
import { firstShare, type GameReport, nameOf, signOf, statements, stateOf } from './data.ts';

function line(
  label: string,
  colour: number,
  values: readonly (MeanValue | null | undefined)[],
  scale: (value: number) => number,
): ChartLine {
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? null : scale(value));
  // If lower payoffs are better, they are shown with the opposite sign, so the bounds are swapped.
  const bound = (of: (...bounds: number[]) => number) =>
    values.map(value => (value?.low == null || value.high == null ? null : of(scale(value.low), scale(value.high))));
  return {
    label,
    colour,
    values: values.map(value => shown(value?.value)),
    ...(values.some(value => value != null && value.low !== null)
      ? { band: { low: bound(Math.min), high: bound(Math.max) } }
      : {}),
  };
}

/** Maximum number of charts that are drawn at full width. */
const mostWide = 3;
const modelName = 'Model of Ware et al. (2019)';
const modelNote =
  'The model assumes BBRv1, one base RTT, a deep buffer that is always full, and synchronised flows: ' +
  'it is shown for comparison only.';

/**
 * Returns the payoff of each player of the modelled strategy, as the model predicts it, in the unit that readers see.
 * Null if the model does not apply to the state.
 */
function modelled(game: GameCaseSummary, state: StateSummary | undefined): number | null {
  if (state?.model == null) return null;
  const players = state.counts.reduce((sum, own) => sum + own[state.model!.strategy]!, 0);
  return scaleToShown((game.rateBps * state.model.share) / players, 'bit/s');
}

/** Returns the label of the x axis in charts over the number of players of the second strategy. */
const playersLabel = ({ strategies, groups }: GameCaseSummary) =>
  `Players with ${strategies[1]!.title}, of ${groups[0]!.players}`;

/**
 * Chart of three lines over the number k of players of the second strategy: payoffs of both strategies, u_A(k) and
 * u_B(k), and the payoff u_B(k+1) that a player of the first strategy would have after a switch. The equilibrium is
 * where the third line meets u_A.
 */
function deviationChart({ summary }: GameReport, game: GameCaseSummary): Html | null {
  if (game.groups.length !== 1 || game.strategies.length !== 2 || game.states.length < 2) return null;
  const { players } = game.groups[0]!;
  const [first, second] = [game.strategies[0]!, game.strategies[1]!];
  const { unit } = summary.payoff;
  const at = (k: number) => game.states.find(({ counts }) => counts[0]![1] === k);
  const ks = Array.from({ length: players + 1 }, (_, k) => k).filter(k => at(k) !== undefined);
  const scale = (value: number) => scaleToShown(signOf(summary) * value, unit);
  return seriesChart({
    title: nameOf(game),
    x: { label: playersLabel(game), values: ks },
    y: { label: `${summary.payoff.title}${shownUnit(unit) === '' ? '' : ` (${shownUnit(unit)})`}`, min: 0 },
    lines: [
      line(
        `${first.title}, in this state`,
        0,
        ks.map(k => at(k)?.payoffs[0]?.[0]),
        scale,
      ),
      line(
        `${second.title}, after one more has switched to it`,
        2,
        ks.map(k => at(k + 1)?.payoffs[0]?.[1]),
        scale,
      ),
      line(
        `${second.title}, in this state`,
        1,
        ks.map(k => at(k)?.payoffs[0]?.[1]),
        scale,
      ),
      ...(ks.some(k => at(k)?.model != null)
        ? [
            {
              label: `${modelName}: ${game.strategies[ks.flatMap(k => at(k)?.model ?? [])[0]!.strategy]!.title}`,
              colour: 6,
              values: ks.map(k => modelled(game, at(k))),
            },
          ]
        : []),
      ...(unit === 'bit/s'
        ? [{ label: 'Fair share', colour: 7, values: ks.map(() => scaleToShown(game.fairShareBps, unit)) }]
        : []),
    ],
  });
}

/**
 * Chart of the sum of the payoffs of each strategy's players, over the number of players of the second strategy. Null
 * if the payoff is no rate. Called for games that have a deviation chart.
 */
function sumsChart({ summary: { payoff } }: GameReport, game: GameCaseSummary): Html | null {
  if (payoff.unit !== 'bit/s') return null;
  const { states } = game; // descending by players of the first strategy
  const sum = ({ counts, payoffs }: StateSummary, strategy: number) => {
    const [count, mean] = [counts[0]![strategy]!, payoffs[0]![strategy]];
    return count === 0 ? 0 : mean == null ? null : scaleToShown(count * mean.value, payoff.unit);
  };
  const [first, second] = [game.strategies[0]!, game.strategies[1]!];
  return seriesChart({
    title: `${nameOf(game)}: sums`,
    x: {
      label: playersLabel(game),
      values: states.map(({ counts }) => counts[0]![1]!),
    },
    y: { label: `Sum of ${inSentence(payoff.title)} (${shownUnit(payoff.unit)})`, min: 0 },
    lines: [
      { label: `All with ${first.title}`, colour: 0, values: states.map(state => sum(state, 0)) },
      { label: `All with ${second.title}`, colour: 1, values: states.map(state => sum(state, 1)) },
    ],
  });
}

/** Returns the title of a game without the part about the buffer. */
const besideBuffer = ({ title }: GameCaseSummary) =>
  title
    .split(', ')
    .filter(part => !part.startsWith('limit '))
    .join(', ');

/**
 * Chart of the share of players with the first strategy in the equilibria, over the buffer. If a game has several
 * equilibria, a band spans them.
 */
function bufferChart({ summary: { games } }: GameReport): Html | null {
  const shown = games.flatMap(game => {
    const { answer, bufferBdp } = game;
    if (bufferBdp === null || answer === null || (answer.kind !== 'equilibrium' && answer.kind !== 'equilibria'))
      return [];
    const shares = answer.states
      .flatMap(id => stateOf(game, id) ?? [])
      .map(({ counts }) => 100 * firstShare(game, counts));
    return [
      {
        game,
        bufferBdp,
        low: Math.min(...shares),
        high: Math.max(...shares),
        line: besideBuffer(game),
      },
    ];
  });
  const buffers = [...new Set(shown.map(({ bufferBdp }) => bufferBdp))].sort((a, b) => a - b);
  if (buffers.length < 2) return null;
  const first = games[0]!.strategies[0]!.title;
  return html`<figure>${seriesChart({
    title: 'Equilibrium over the buffer',
    x: { label: 'Buffer (BDP of the shortest RTT)', values: buffers, log: true },
    y: { label: `Play ${first} (%)`, min: 0, max: 100 },
    lines: [...new Set(shown.map(({ line: of }) => of))].map((name, colour) => {
      const own = buffers.map(buffer => shown.find(({ bufferBdp, line: of }) => bufferBdp === buffer && of === name));
      return {
        label: name === '' ? first : name,
        colour,
        values: own.map(one => (one === undefined ? null : (one.low + one.high) / 2)),
        band: { low: own.map(one => one?.low ?? null), high: own.map(one => one?.high ?? null) },
      };
    }),
  })}<figcaption>Share of the players with ${first} at the equilibrium. Band: all measured states that are shown to be
equilibria up to the tolerance. Games without one are left out.</figcaption></figure>`;
}

/**
 * Chart of the second strategy's payoff divided by the first strategy's payoff, over the buffer, in states in which
 * both strategies have players.
 */
function ratioChart({ summary }: GameReport): Html | null {
  const { games, payoff } = summary;
  const cases = games.filter(({ bufferBdp }) => bufferBdp !== null).sort((a, b) => a.bufferBdp! - b.bufferBdp!);
  const [first] = cases;
  if (first === undefined || payoff.unit !== 'bit/s' || first.strategies.length !== 2) return null;
  const isFew = first.groups.reduce((sum, { players }) => sum + players, 0) === 2;
  const buffers = [...new Set(cases.map(({ bufferBdp }) => bufferBdp!))];
  if (!isFew || buffers.length < 2) return null;
  const [a, b] = [first.strategies[0]!, first.strategies[1]!];
  const groupOf = (game: GameCaseSummary, counts: readonly (readonly number[])[], strategy: number) =>
    game.groups[counts.findIndex(own => own[strategy]! > 0)];
  const points = cases.flatMap(game =>
    game.states
      .filter(({ counts }) => counts.some(own => own[0]! > 0) && counts.some(own => own[1]! > 0))
      .flatMap(({ counts, payoffs }) => {
        const mean = (strategy: number) => payoffs.map(own => own[strategy]).find(value => value != null)?.value;
        const [ua, ub] = [mean(0), mean(1)];
        if (ua === undefined || ub === undefined || ua <= 0) return [];
        const [groupA, groupB] = [groupOf(game, counts, 0), groupOf(game, counts, 1)];
        const isAlike = groupA !== groupB && groupA?.rttMs === groupB?.rttMs;
        const place = (group: typeof groupA) => `${group?.rttMs ?? null} ms${isAlike ? ` (${group?.name})` : ''}`;
        const of = besideBuffer(game);
        const label = `${b.title} with ${place(groupB)} beside ${a.title} with ${place(groupA)}${of === '' ? '' : `, ${of}`}`;
        return [{ buffer: game.bufferBdp!, ratio: ub / ua, label }];
      }),
  );
  const labels = [...new Set(points.map(({ label }) => label))];
  if (labels.length === 0) return null;
  const model = buffers.map(
    buffer =>
      cases
        .filter(({ bufferBdp }) => bufferBdp === buffer)
        .flatMap(({ states }) => states.flatMap(state => (state.model?.strategy === 1 ? state.model : [])))[0] ?? null,
  );
  const hasModel = model.some(one => one !== null);
  return html`<figure>${seriesChart({
    title: `${b.title} over ${a.title}`,
    x: { label: 'Buffer (BDP of the shortest RTT)', values: buffers },
    y: { label: `${b.title} / ${a.title}`, min: 0 },
    lines: [
      ...labels.map((label, colour) => ({
        label,
        colour,
        values: buffers.map(
          buffer => points.find(point => point.buffer === buffer && point.label === label)?.ratio ?? null,
        ),
      })),
      { label: 'Equal', colour: 7, values: buffers.map(() => 1) },
      ...(hasModel
        ? [
            {
              label: `${modelName}, RTTs alike`,
              colour: 6,
              values: model.map(one => (one === null ? null : one.share / (1 - one.share))),
            },
          ]
        : []),
    ],
  })}<figcaption>Goodput of one flow of ${b.title} over that of one flow of ${a.title}; means over trials.
${hasModel ? modelNote : ''}</figcaption></figure>`;
}

/** Returns the charts over the buffer with the paper's statements below. Null if the study does not vary the buffer. */
export function overBuffer(report: GameReport): Html | null {
  const [buffer, ratio] = [bufferChart(report), ratioChart(report)];
  if (buffer === null && ratio === null) return null;
  const said = statements(report);
  const below = said === null ? null : html`<div id="statements"><h3>What the paper says</h3>${said}</div>`;
  return html`${buffer}${ratio}${below}`;
}

/**
 * Returns charts of the payoffs over the number of players of the second strategy, and over the buffer. Null if the
 * study gives none of these charts.
 */
export function curvesSection(report: GameReport): Html | null {
  const charts = report.summary.games.flatMap(game => {
    const chart = deviationChart(report, game);
    if (chart === null) return [];
    const sums = sumsChart(report, game);
    return [
      html`<figure><figcaption>${nameOf(game)}</figcaption>${chart}</figure>`,
      ...(sums === null ? [] : [html`<figure><figcaption>${nameOf(game)}, together</figcaption>${sums}</figure>`]),
    ];
  });
  const buffer = overBuffer(report);
  if (charts.length === 0) return buffer;
  const { games, confidence } = report.summary;
  const hasModel = games.some(({ states }) => states.some(({ model }) => model !== null));
  return html`${buffer}${charts.length <= mostWide ? charts : html`<div class="panels">${charts}</div>`}
<p class="note">Means over trials. Bands have both bounds at ${percent(confidence)} confidence, valid at any stopping time,
and need three trials of a state. An equilibrium lies where what a player would have after a switch equals what it has,
not where the lines of two strategies in one state cross.${hasModel ? ` ${modelNote}` : ''}</p>`;
}
