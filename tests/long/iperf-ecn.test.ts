/** TCP flows of a size, of BBRv3 and without ECN over a queue that marks. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { agreesOnEcn, lastOfSenders, marking, noBbr3, shapedLink, skip, use } from '../e2e/support/iperf-flows.ts';

describe('iperf over a queue that marks', { skip }, () => {
  before(() => shapedLink?.set(marking('codel'), 1));

  agreesOnEcn('flows of a size', { flows: 2, bytes: '6MB' });

  test('without ECN nothing is marked', async () => {
    const [reading] = lastOfSenders(await use({ congestionControl: 'cubic' }, 3));
    assert.deepEqual([reading!.ecn, reading!.deliveredCePackets], [undefined, undefined]);
  });

  test('BBRv3 takes CE marks for congestion, as the draft demands (section 3.7)', { skip: noBbr3 }, async () => {
    const used = await use({ congestionControl: 'bbr3', ecn: 'classic' }, 6);
    const [reading] = lastOfSenders(used);
    const samples = used.model.filter(record => record.kind === 'sample');
    assert.ok(reading!.ecn === true && reading!.deliveredCePackets! > 0, JSON.stringify(reading));
    assert.equal(reading!.bytesRetransmitted ?? 0, 0, 'nothing was lost');
    assert.ok(samples.at(-1)!.lossRounds > 0, 'its rounds with marks count as rounds with losses');
  });
});
