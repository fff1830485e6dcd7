/** Tests how a folder that may come from a stranger is continued: its plan is made anew. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { object, text } from '../../../../core/schema/schema.ts';
import type { Plan } from '../../../../harness/definition/plan.ts';
import { serviceOf } from '../../../../harness/services/bound-service.ts';
import type { ServicePlugin } from '../../../../harness/services/service.ts';
import { planAgain } from '../../../../harness/studies/experiment/index.ts';
import { gamePlanAgain } from '../../../../harness/studies/game/index.ts';
import { loadGame } from '../../../../harness/studies/game/load.ts';
import { type GamePlan, makeGamePlan } from '../../../../harness/studies/game/plan.ts';
import { loadQuantities } from '../../../../harness/studies/metrics.ts';
import type { PairsPlan } from '../../../../harness/studies/pairs/plan.ts';
import { pairsPlanAgain } from '../../../../harness/studies/pairs/plan-again.ts';
import { loadRegistries } from '../../../../harness/trial/registries.ts';
import { pairsPlanOf } from '../studies/pairs/support/plan-of.ts';
import { greedy, services } from '../studies/pairs/support/study.ts';
import { temporaryFolder } from '../support/folder.ts';
import { planOf, registries } from '../support/plan.ts';

const folder = temporaryFolder();

/** Returns a plan as it is in plan.json, with a change. */
function kept<P>(plan: P, change: (plan: P) => void = () => {}): P {
  const copy = JSON.parse(JSON.stringify(plan)) as P;
  change(copy);
  return copy;
}

const refused = { code: 'bad-run-folder' };
const allowsNothing = { trustScripts: false, privateNetworks: false };

describe('an experiment', () => {
  const plan = planOf({
    conditions: { alone: { flood: { id: 'none' } }, lossy: { link: { loss: '2%' } } },
    run: { repeats: 2 },
  });
  const again = (change?: (plan: Plan) => void) => planAgain(kept(plan, change), registries as never, 'runs/x');

  test('its plan comes out the same', () => assert.deepEqual(again(), plan));

  test('what --set changed stays in the plan; an older plan without it comes out the same', () => {
    const changed = { ...plan, changes: ['link.rate=20mbit'] };
    assert.deepEqual(planAgain(kept(changed), registries as never, 'runs/x'), changed);
    assert.throws(() => planAgain(kept({ ...plan, changes: [1] } as never), registries as never, 'runs/x'), refused);
  });

  test('a plan that its definition does not make is refused with the first difference', () => {
    assert.throws(
      () =>
        again(it => {
          it.trials[0]!.id = '../../etc';
        }),
      {
        ...refused,
        message:
          'the plan in runs/x is not what this version makes of its definition: trials.0.id is "../../etc", not "0001-alone"',
      },
    );
    assert.throws(
      () =>
        again(it => {
          (it.conditions[0]!.applications[0]!.service.params as { port: unknown }).port = '1; reboot';
        }),
      refused,
    );
    assert.throws(
      () =>
        again(it => {
          it.run.parallel = 1e9;
        }),
      refused,
    );
    assert.throws(
      () =>
        again(it => {
          (it as unknown as { more: string }).more = 'x';
        }),
      refused,
    );
    assert.throws(
      () =>
        again(it => {
          it.trials.push(it.trials[0]!);
        }),
      refused,
    );
  });

  test('a definition that is none is refused as in a file', () => {
    assert.throws(
      () =>
        again(it => {
          it.definition.link.rate = '1e99mbit';
          it.definition.service = { id: 'nothing' };
        }),
      { code: 'bad-definition' },
    );
    assert.throws(
      () =>
        again(it => {
          (it as { definition: unknown }).definition = null;
        }),
      refused,
    );
    assert.throws(
      () =>
        again(it => {
          (it as { study: unknown }).study = 5;
        }),
      refused,
    );
  });
});

describe('a pairwise study', () => {
  const write = (name: string, service: object = { id: 'greedy' }) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify({ name, service }));
    return path;
  };
  const two = `${write('one')},${write('two', { id: 'greedy', cap: '2mbit' })}`;
  const again = (plan: PairsPlan, change?: (plan: PairsPlan) => void) =>
    pairsPlanAgain(kept(plan, change), { services }, 'runs/x', allowsNothing);

  test('its plan comes out the same: the usual one, a quick one, one with settings, and that of the findings', async () => {
    for (const plan of [
      await pairsPlanOf({ services: two, link: '8mbit,50mbit-deep' }, { services }),
      await pairsPlanOf({ services: two, quick: true }, { services }),
      await pairsPlanOf(
        { services: two, set: ['run.externalLoss=0.07%', 'run.window=1234.5ms', 'run.warmUp=2min'] },
        { services },
      ),
    ])
      assert.deepEqual(kept(again(plan)), kept(plan));
    const shipped = await loadRegistries();
    const findings = await pairsPlanOf({ findings: true }, shipped);
    assert.deepEqual(kept(pairsPlanAgain(kept(findings), shipped, 'runs/x', allowsNothing)), kept(findings));
  });

  test('what was changed by hand is refused', async () => {
    const plan = await pairsPlanOf({ services: two }, { services });
    assert.throws(
      () =>
        again(plan, it => {
          it.cells[0]!.id = '../../../root';
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          it.contestants[0]!.name = '../x';
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          it.contestants[0]!.service.params = { flows: 1e9 };
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          it.links[0]!.link.rateBps = 1;
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          it.run.windowMs = -1;
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          (it as { run: unknown }).run = null;
        }),
      refused,
    );
    assert.throws(
      () =>
        again(plan, it => {
          it.contestants = [];
        }),
      refused,
    );
  });

  test('its scripts are trusted by whoever goes on with it, as long as they are the ones it began with', async () => {
    const plugin: ServicePlugin<{ script?: string | undefined }> = {
      ...(greedy as ServicePlugin),
      params: object({ script: text().optional() }),
      files: { script: () => false },
      runsModule: ({ script }) => script ?? null,
    };
    const own = { services: new Map([['greedy', serviceOf(plugin)]]) };
    const script = join(folder, 'play.mjs');
    writeFileSync(script, 'export default async () => {}');
    const plan = await pairsPlanOf(
      {
        services: `${write('scripted', { id: 'greedy', script: 'play.mjs' })},${two}`.split(',')[0]!,
        'trust-scripts': true,
      },
      own,
    );
    const scripted = (trustScripts: boolean) =>
      pairsPlanAgain(kept(plan), own, 'runs/x', { ...allowsNothing, trustScripts });
    assert.equal(plan.contestants[0]!.scriptSha256?.length, 64);
    assert.throws(() => scripted(false), {
      code: 'bad-definition',
      message: /^the plan in runs\/x has the script .*play\.mjs run, with all the rights/,
      hint: /--trust-scripts$/,
    });
    assert.deepEqual(kept(scripted(true)), kept(plan));
    writeFileSync(script, 'export default async () => { process.exit(); }');
    assert.throws(() => scripted(true), {
      ...refused,
      message: /contestants\.0\.scriptSha256 is "[0-9a-f]+"?, not "[0-9a-f]+/,
    });
  });

  test('its pages reach private networks again only where whoever goes on with it says so', async () => {
    const live = serviceOf({ ...greedy, outside: () => ({ host: 'www.example.org', port: 443 }) });
    const own = { services: new Map([['greedy', live]]) };
    const set = ['run.privateNetworks=true'];
    const plan = await pairsPlanOf({ services: two, set }, own);
    const goOn = (privateNetworks: boolean, of = plan) =>
      pairsPlanAgain(kept(of), own, 'runs/x', { ...allowsNothing, privateNetworks });
    assert.throws(() => goOn(false), {
      code: 'bad-definition',
      message: 'the plan in runs/x lets the pages of one reach private networks and this machine',
      hint: /--private-networks$/,
    });
    assert.deepEqual(kept(goOn(true)), kept(plan));
    const closed = await pairsPlanOf({ services: two }, own);
    for (const allowed of [false, true]) assert.equal(goOn(allowed, closed).run.privateNetworks, false, 'nor opens it');
    const inside = await pairsPlanOf({ services: two, set }, { services });
    assert.deepEqual(kept(again(inside)), kept(inside), 'nobody goes there');
  });
});

describe('a game', async () => {
  const shipped = await loadRegistries();
  const quantities = await loadQuantities();
  const plan = makeGamePlan('nash-two', (await loadGame('nash-two')).definition, shipped, quantities);
  const again = (change?: (plan: GamePlan) => void) => gamePlanAgain(kept(plan, change), shipped, 'runs/x');

  test('its plan comes out the same', async () => assert.deepEqual(kept(await again()), kept(plan)));

  for (const [what, change] of Object.entries<(plan: GamePlan) => void>({
    'an id that leads elsewhere': it => {
      it.cases[0]!.id = '../../../root';
    },
    'another link': it => {
      it.cases[0]!.link.rateBps = 1;
    },
    'more than there is to run': it => {
      it.run.parallel = 1e9;
    },
    'no cases': it => {
      it.cases = [];
    },
    'no settings': it => {
      (it as { run: unknown }).run = null;
    },
  }))
    test(`changed by hand it is refused: ${what}`, () => assert.rejects(again(change), refused));
});
