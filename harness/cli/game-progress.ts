/** What a person sees while a game is searched. */
import { counted } from '../../core/counted.ts';
import { formatRate } from '../../core/units.ts';
import type { GamePlan } from '../games/plan.ts';
import type { SearchPlanner } from '../games/planner.ts';
import type { GameCaseSummary } from '../games/summary.ts';
import type { Planned } from '../planner/planner.ts';
import type { TrialFile } from '../record/trial-file.ts';
import type { LiveTrial } from '../runner/live-trial.ts';
import type { Progress } from '../runner/study.ts';
import { cycleWords, neededWords, othersWords, undecidedAt } from '../../reports/games/others.ts';
import { Lines } from './lines.ts';

const plainEveryMs = 15_000;

/** "limit 2bdp: equilibrium 1bbr_1cubic (12 trials)". */
export function describeAnswer({
  title,
  answer,
  trials,
}: Pick<GameCaseSummary, 'title' | 'answer' | 'trials'>): string {
  const name = title === '' ? '' : `${title}: `;
  if (answer === null) return `${name}not complete (${counted(trials, 'trial')})`;
  const states = answer.states.join(', ');
  const needed = answer.trialsNeeded === null ? '' : `: ${neededWords(answer)}`;
  const others = othersWords(answer);
  const beside = others === null ? '' : `; ${others}`;
  const words = {
    equilibrium: `equilibrium ${states}${beside}`,
    equilibria: `equilibria ${states}${beside}`,
    cycle: `no equilibrium on the path, best responses form ${cycleWords(answer, id => id)}${beside}`,
    none: 'no equilibrium: in every state, some player gains by a switch',
    undecided: `undecided${undecidedAt(answer.states)}${needed}`,
    measured: `${counted(answer.states.length, 'state')} measured`,
  };
  return `${name}${words[answer.kind]} (${counted(trials, 'trial')})`;
}

export class GamePrinter implements Progress {
  readonly #plan: GamePlan;
  readonly #lines: Lines;
  readonly #printedMs = new Map<string, number>();
  #planner: SearchPlanner | undefined;

  constructor(plan: GamePlan, out: NodeJS.WriteStream) {
    this.#plan = plan;
    this.#lines = new Lines(out);
  }

  /** Whose games it tells of. */
  watch(planner: SearchPlanner): void {
    this.#planner = planner;
  }

  onTrialStart({ trial: { id } }: Planned, attempt: number): void {
    this.#printedMs.delete(id);
    const answers = this.#planner?.answers() ?? [];
    const open = answers.filter(({ answer }) => answer === null).length;
    const trials = answers.reduce((sum, game) => sum + game.trials, 0);
    const again = attempt === 1 ? '' : `, try ${attempt}`;
    const games = `${open} of ${counted(answers.length, 'game')} open`;
    this.#lines.sayForNow(`${id}${again}  (${counted(trials, 'trial')} so far, ${games})`);
  }

  onPreflight({ trial: { id } }: Planned): void {
    this.#lines.sayForNow(`${id}  testing the link`);
  }

  onLive({ trial: { id } }: Planned, { byApplication, elapsedMs }: LiveTrial): void {
    const rates = byApplication.map(values => formatRate(values?.goodputBps ?? 0)).join(', ');
    const seconds = (ms: number) => Math.round(ms / 1000);
    const measured = `${seconds(elapsedMs)} of ${seconds(this.#plan.run.windowMs)} s`;
    const text = `${id}  ${elapsedMs < 0 ? 'settling' : measured}, ${rates}`;
    if (this.#lines.isLive) this.#lines.sayForNow(text);
    else if (elapsedMs - (this.#printedMs.get(id) ?? 0) >= plainEveryMs) {
      this.#printedMs.set(id, elapsedMs);
      this.#lines.say(text);
    }
  }

  onTrialEnd({ trial, verdict }: TrialFile, willRetry: boolean): void {
    this.#lines.sayResult(trial.id, verdict, { willRetry });
  }

  onRefused(trial: string, reason: string): void {
    this.#lines.say(`${trial}  could not begin: ${reason}`);
  }

  onGivenUp(condition: string, reason: string): void {
    this.#lines.say(`${condition}  gets no more trials: ${reason}`);
  }

  say(text: string): void {
    this.#lines.say(text);
  }
}
