import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFree } from '../../../../../shaper/topology/ssh/free.ts';
import { fakeHost } from '../../../harness/support/fake-host.ts';

/** A router with fixed answers by command. */
function lab(answers: { qdisc?: string; routes?: string; rules?: string }) {
  const router = {
    ...fakeHost('true', '', 'shaper'),
    async run(argv: readonly string[]) {
      const stdout =
        argv[0] === 'tc' ? (answers.qdisc ?? '') : argv[1] === 'rule' ? (answers.rules ?? '') : (answers.routes ?? '');
      return { status: 0, signal: null, stdout, stderr: '' };
    },
  };
  const left = [{ host: fakeHost('true'), address: '10.77.1.2', ownDevice: 'eth1', device: 'eth1', network: 'n' }];
  const right = fakeHost('true', 'qdisc noqueue 0: root refcnt 2 \n', 'right');
  const sides = { router, left, bottleneckDevice: 'eth2', behindBottleneck: { host: right, device: 'eth1' } };
  return checkFree(sides, [101]);
}

test('what the kernel gives by itself is free', async () => {
  await lab({
    qdisc: 'qdisc mq 0: root \nqdisc fq_codel 0: parent :4 limit 10240p flows 1024\n',
    rules: '0:\tfrom all lookup local\n32766:\tfrom all lookup main\n',
  });
});

test('what somebody has put there is named, with how it is removed', async () => {
  await assert.rejects(lab({ qdisc: 'qdisc fq_codel 8001: root refcnt 2 limit 10240p\n' }), {
    code: 'no-host',
    message: /^machine "shaper": eth[12] has the queue discipline fq_codel, which somebody has set$/,
    hint: /tc qdisc del dev eth[12] root$/,
  });
  await assert.rejects(lab({ qdisc: 'qdisc noqueue 0: root \nqdisc clsact ffff: parent ffff:fff1 \n' }), {
    message: /queue discipline clsact/,
    hint: /del dev eth[12] clsact$/,
  });
  for (const used of [{ routes: 'default dev eth7 scope link\n' }, { rules: '101:\tfrom all lookup 5\n' }])
    await assert.rejects(lab(used), { message: 'machine "shaper": its routing table or rule 101 is in use' });
});
