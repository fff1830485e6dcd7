/**
 * Diagram of a game. Each state is a dot with an arrow to its best response; equilibria are filled. Drawn as static SVG
 * by Observable Plot.
 */

import * as Plot from '@observablehq/plot';
import { object } from '../../../../core/schema/schema.ts';
import { counted } from '../../../../core/text/counted.ts';
import type { GameCaseSummary, GameSummary, StateSummary } from '../../../../harness/studies/game/summary.ts';
import { image, plotDocument } from '../../../charts/svg.ts';
import { type Html, html } from '../../../html.ts';
import type { ReportSection } from '../../../report.ts';
import { type GameReport, nameOf, regretWords, stateVerdictWords, stateWords } from '../../data.ts';
import { layoutOf } from '../../places.ts';

/** Least distance between neighbouring states at which states get labels, px. */
const namedFromPx = { flat: 80, other: 120 };

const bendDegrees = 22.5;

const colours = { equilibrium: 'var(--good)', refuted: 'var(--bad)', open: 'var(--soft)' } as const;

/** Horizontal space for half a label, px. */
const sidePx = 60;

const spanOf = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;

/**
 * Returns the switch with the largest gain, among those whose mean gain exceeds the tolerance and those that are shown
 * to pay. Undefined if there is no such switch.
 */
function bestOf({ deviations }: StateSummary, tolerance: number) {
  return deviations
    .filter(({ gain, verdict }) => gain !== null && (gain > tolerance || verdict === 'profitable'))
    .reduce<StateSummary['deviations'][number] | undefined>(
      (best, one) => (best === undefined || one.gain! > best.gain! ? one : best),
      undefined,
    );
}

function diagram(summary: GameSummary, game: GameCaseSummary): Html | null {
  const layout = layoutOf(game);
  if (layout === undefined || game.states.length < 2) return null;
  const { unitPx, labels } = layout;
  const dots = game.states.map(state => ({ ...layout.placeOf(state.counts), state, colour: colours[state.verdict] }));
  const at = new Map(dots.map(dot => [dot.state.id, dot]));
  const arrows = dots.flatMap(({ state, x, y }) => {
    const best = bestOf(state, game.tolerance);
    const target = best === undefined ? undefined : at.get(best.target);
    return target === undefined
      ? []
      : [{ x1: x, y1: y, x2: target.x, y2: target.y, isShown: best!.verdict === 'profitable' }];
  });
  const title = ({ counts, verdict, regret, trials }: StateSummary) => {
    const regretSaid = regret === null ? '' : `, regret at most ${regretWords(summary, game, regret)}`;
    return `${stateWords(game, counts)}: ${stateVerdictWords[verdict]}${regretSaid}, ${counted(trials, 'trial')}`;
  };
  const ranges = layout.ranges ?? { x: spanOf(dots.map(({ x }) => x)), y: spanOf(dots.map(({ y }) => y)) };
  const [width, height] = [ranges.x[1] - ranges.x[0], ranges.y[1] - ranges.y[0]];
  const isFlat = height === 0;
  const hasLabels = labels.length > 0;
  const [leftPx, rightPx] = isFlat || hasLabels ? [sidePx, sidePx] : [40, 2 * sidePx];
  const svg = Plot.plot({
    document: plotDocument,
    width: leftPx + rightPx + unitPx * Math.max(1, width),
    height: 90 + (isFlat ? 0 : unitPx * height),
    margin: 40,
    marginLeft: leftPx,
    marginRight: rightPx,
    axis: null,
    x: { domain: ranges.x },
    y: { domain: isFlat ? [0, 1] : ranges.y },
    marks: [
      // arrows pass above the dots or on their left, away from the labels
      ...[bendDegrees, -bendDegrees].map(bend =>
        Plot.arrow(
          arrows.filter(({ x1, y1, x2, y2 }) => (x2 < x1 || y2 < y1 ? -bendDegrees : bendDegrees) === bend),
          {
            x1: 'x1',
            y1: 'y1',
            x2: 'x2',
            y2: 'y2',
            stroke: 'var(--text)',
            strokeOpacity: arrow => (arrow.isShown ? 0.9 : 0.4),
            strokeWidth: 1.6,
            inset: 9,
            bend,
            headLength: 7,
          },
        ),
      ),
      Plot.dot(dots, {
        x: 'x',
        y: 'y',
        r: 7,
        stroke: 'colour',
        strokeWidth: 2,
        fill: dot => (dot.state.verdict === 'equilibrium' ? 'var(--good)' : 'var(--back)'),
        title: dot => title(dot.state),
      }),
      Plot.text(labels, { x: 'x', y: 'y', text: 'name', fontSize: 10, fill: 'var(--soft)' }),
      ...(unitPx >= namedFromPx[isFlat ? 'flat' : 'other'] && !hasLabels
        ? [
            Plot.text(dots, {
              x: 'x',
              y: 'y',
              // below dots in a row; else on the right of the dots, away from vertical arrows
              ...(isFlat ? { dy: 13, textAnchor: 'middle' } : { dx: 11, dy: 3, textAnchor: 'start' }),
              lineAnchor: 'top',
              text: dot => stateWords(game, dot.state.counts).replaceAll('; ', '\n'),
              fontSize: 10,
              fill: 'var(--soft)',
              stroke: 'var(--back)', // keeps labels legible over arrows
              strokeWidth: 4,
            }),
          ]
        : []),
    ],
  });
  const drawing = image(svg, dots.map(({ state }) => title(state)).join('; '));
  return html`<figure>${drawing}<figcaption>${nameOf(game)}. ${layout.words}</figcaption></figure>`;
}

function render({ summary }: GameReport): Html | null {
  const all = summary.games.flatMap(game => diagram(summary, game) ?? []);
  return all.length === 0
    ? null
    : html`<p class="note">Each dot is a state that was measured, its arrow leads to where the best switch out of it
goes; strong: shown to pay, faint: by the means only. Full green: an equilibrium up to the tolerance; red: shown to be
none; grey: open.</p><div class="panels">${all}</div>`;
}

export const plugin: ReportSection<GameReport> = {
  id: 'diagram',
  title: 'States and best responses',
  source: 'own',
  params: object({}),
  order: 50,
  render,
};
