/** The states as dots, each with an arrow to its best answer; equilibria are filled. Static SVG by Observable Plot. */
import * as Plot from '@observablehq/plot';
import type { GameCaseSummary, GameSummary, StateSummary } from '../../harness/games/summary.ts';
import { image, plotDocument } from '../charts/svg.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { nameOf, regretWords, stateVerdictWords, stateWords } from './data.ts';
import type { GameReport } from './data.ts';

/** States have their names where the distance between them is at least this, px. */
const namedFromPx = { flat: 80, other: 120 };

/** How much arrows curve. */
const bendDegrees = 22.5;

/** Room for half a name on either side, px. */
const sidePx = 60;

type Place = { x: number; y: number };

/**
 * Where a state is drawn: by how many players of each group have the second strategy, or in a triangle of three
 * strategies; undefined where two dimensions are not enough.
 */
function placeOf({ groups, strategies }: GameCaseSummary, counts: StateSummary['counts']): Place | undefined {
  const second = counts.map(own => own[1]!);
  if (strategies.length === 3 && groups.length === 1) {
    const [{ players }, own] = [groups[0]!, counts[0]!];
    return { x: (own[1]! + own[2]! / 2) / players, y: (own[2]! * Math.sqrt(3)) / 2 / players };
  }
  if (strategies.length !== 2 || groups.length > 3) return undefined;
  // the third group is drawn as planes side by side
  return { x: second[0]! + (second[2] ?? 0) * (groups[0]!.players + 2), y: second[1] ?? 0 };
}

/** The switch that gains most, where it gains more than the tolerance by its mean. */
function bestOf({ deviations }: StateSummary, tolerance: number) {
  return deviations
    .filter(({ gain, verdict }) => gain !== null && (gain > tolerance || verdict === 'profitable'))
    .reduce<StateSummary['deviations'][number] | undefined>(
      (best, one) => (best === undefined || one.gain! > best.gain! ? one : best),
      undefined,
    );
}

function axisWords({ groups, strategies }: GameCaseSummary): string {
  if (strategies.length === 3)
    return `Corners: all play ${strategies.map(({ title }) => title).join(', ')} (left, right, top).`;
  const second = strategies[1]!.title;
  if (groups.length === 1) return `From left to right: 0 to ${groups[0]!.players} players with ${second}.`;
  const third = groups.length === 3 ? `, of "${groups[2]!.name}" from plane to plane` : '';
  return `Players with ${second}: of "${groups[0]!.name}" from left to right, of "${groups[1]!.name}" upwards${third}.`;
}

function diagram(summary: GameSummary, game: GameCaseSummary): Html | null {
  const dots = game.states.flatMap(state => {
    const place = placeOf(game, state.counts);
    return place === undefined
      ? []
      : [
          {
            ...place,
            state,
            colour:
              state.verdict === 'equilibrium'
                ? 'var(--good)'
                : state.verdict === 'refuted'
                  ? 'var(--bad)'
                  : 'var(--soft)',
          },
        ];
  });
  if (dots.length < 2) return null;
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
    return `${stateWords(game, counts)}: ${stateVerdictWords[verdict]}${regretSaid}, ${trials} trials`;
  };
  const [width, height] = [
    Math.max(...dots.map(({ x }) => x)) - Math.min(...dots.map(({ x }) => x)),
    Math.max(...dots.map(({ y }) => y)) - Math.min(...dots.map(({ y }) => y)),
  ];
  const isFlat = height === 0;
  const isTriangle = game.strategies.length === 3;
  const unit = isTriangle ? 300 : Math.min(isFlat ? 110 : 150, 640 / Math.max(1, width));
  const svg = Plot.plot({
    document: plotDocument,
    width: (isFlat ? 2 * sidePx : 40 + 2 * sidePx) + unit * Math.max(1, width),
    height: 90 + (isFlat ? 0 : unit * height),
    margin: 40,
    marginLeft: isFlat ? sidePx : 40,
    marginRight: isFlat ? sidePx : 2 * sidePx,
    axis: null,
    x: { domain: [Math.min(...dots.map(({ x }) => x)), Math.max(...dots.map(({ x }) => x))] },
    y: { domain: [0, isFlat ? 1 : Math.max(...dots.map(({ y }) => y))] },
    marks: [
      // above the dots or on their left, away from the names
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
      ...(unit >= namedFromPx[isFlat ? 'flat' : 'other'] && !isTriangle && game.groups.length < 3
        ? [
            Plot.text(dots, {
              x: 'x',
              y: 'y',
              // beside the arrows that go up and down
              ...(isFlat ? { dy: 13, textAnchor: 'middle' } : { dx: 11, dy: 3, textAnchor: 'start' }),
              lineAnchor: 'top',
              text: dot => stateWords(game, dot.state.counts).replaceAll('; ', '\n'),
              fontSize: 10,
              fill: 'var(--soft)',
              stroke: 'var(--back)', // arrows end and pass there
              strokeWidth: 4,
            }),
          ]
        : []),
    ],
  });
  const drawing = image(svg, dots.map(({ state }) => title(state)).join('; '));
  return html`<figure>${drawing}<figcaption>${nameOf(game)}. ${axisWords(game)}</figcaption></figure>`;
}

export function diagramSection({ summary }: GameReport): Html | null {
  const all = summary.games.flatMap(game => diagram(summary, game) ?? []);
  return all.length === 0
    ? null
    : html`<p class="note">Each dot is a state that was measured, its arrow leads to where the best switch out of it
goes; strong: shown to pay, faint: by the means only. Full green: an equilibrium up to the tolerance; red: shown to be
none; grey: open.</p><div class="panels">${all}</div>`;
}
