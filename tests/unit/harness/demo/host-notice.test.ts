import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofEachPart } from '../../../../core/vocabulary/trial-parts.ts';
import { HostNotice } from '../../../../harness/demo/host-notice.ts';

test('a quiet machine is not spoken of', () => {
  const notice = new HostNotice();
  notice.host({ timeMs: 0, wakeUpDelayMaxMs: 5, stealRatio: 0 });
  notice.host({ timeMs: 0, wakeUpDelayMaxMs: 300, threadWaitMaxMs: ofEachPart(() => 20), stealRatio: 0 });
  notice.page({ timeMs: 0, mainThreadDelayMaxMs: 20, visible: true });
  notice.sender({ frameLatenessMaxMs: 10 }, 0);
  notice.unharmed(58.9, 60, 0);
  assert.equal(notice.read(0), null);
});

test('what would void a trial is told for some seconds, the newest of it', () => {
  const notice = new HostNotice();
  notice.host({ timeMs: 1000, wakeUpDelayMaxMs: 181.4, stealRatio: 0 });
  assert.equal(
    notice.read(1000),
    'This machine is too busy: a thread that was ready waited 181 ms for a processor. Part of what you see is due to the machine.',
  );
  notice.sender({ frameLatenessMaxMs: 170 }, 2000);
  assert.match(notice.read(6000)!, /a frame was captured 170 ms late/);
  assert.equal(notice.read(6001), null);
  notice.page({ timeMs: 7000, mainThreadDelayMaxMs: 190, visible: true });
  assert.match(notice.read(7000)!, /held up for 190 ms/);
  notice.host({ timeMs: 8000, wakeUpDelayMaxMs: 0, stealRatio: 0.5 });
  assert.match(notice.read(8000)!, /the hypervisor takes the processor away/);
  const threadWaitMaxMs = ofEachPart(part => (part === 'browser' ? 640 : 20));
  notice.host({ timeMs: 8500, wakeUpDelayMaxMs: 0, threadWaitMaxMs, stealRatio: 0 });
  assert.match(notice.read(8500)!, /a thread of the browser waited 640 ms for a processor within a second/);
  notice.unharmed(48.7, 60, 9000);
  assert.match(notice.read(9000)!, /even the stream that meets no link shows 49 of 60 frames per second/);
});
