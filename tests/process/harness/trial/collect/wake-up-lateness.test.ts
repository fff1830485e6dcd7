import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { after, test } from 'node:test';
import { until } from '../../../../../core/system/deadline.ts';
import { WakeUpLateness } from '../../../../../harness/trial/collect/wake-up-lateness.ts';

const lateness = new WakeUpLateness();
after(() => lateness.stop());
const awake = () => until(() => (lateness.take() > 0 ? true : undefined), 30_000, 'the thread to sleep once');

function work(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs) Math.sqrt(endMs);
}

test('work of this thread is no delay of that one', async () => {
  await awake();
  let least = Infinity; // the machine may be busy: one quiet attempt is enough
  for (let tries = 0; tries < 100 && least >= 50; tries++) {
    lateness.take();
    work(200);
    least = Math.min(least, lateness.take());
  }
  assert.ok(least < 50, `${least} ms at best beside 200 ms of work`);
});

test('a thread that is kept from its processor is noticed, also while it lasts', async () => {
  await awake();
  // stops the whole process, as if the machine stood still
  const script = `for k in 1 2 3; do kill -STOP ${process.pid}; sleep 0.2; kill -CONT ${process.pid}; sleep 0.1; done`;
  const stopper = spawn('sh', ['-c', script], { stdio: 'ignore' });
  let longest = 0;
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      longest = Math.max(longest, lateness.take());
    }, 10);
    stopper.once('close', () => {
      clearInterval(timer);
      resolve();
    });
  });
  assert.ok(longest >= 150, `${longest} ms of 200 on ${availableParallelism()} cores`);
});
