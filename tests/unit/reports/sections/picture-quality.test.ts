import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugin as pictureQualitySection } from '../../../../reports/sections/picture-quality/index.ts';
import { planOf } from '../../harness/support/plan.ts';
import { endMs, every, startMs } from '../../harness/support/record.ts';
import { renderSections } from '../support/report-data.ts';
import { chartsOf, conditions, type Made, parsePage } from '../support/run.ts';

const pictures = (vmaf: number | null) =>
  every(20, startMs, endMs - 20).map((timeMs, i) => ({
    timeMs,
    shownFrame: i,
    wantedFrame: i,
    psnrDb: 38,
    ssim: 0.97,
    vmaf,
  }));
const comparison = {
  vmaf: { program: 'FFmpeg 9', model: 'vmaf_v0.6.1' },
  vmafMissing: null,
  problem: null,
  shownPictures: 500,
  numbersRight: 495,
  numbersOld: 3,
  numbersUnread: 2,
};

async function page(series: Made['series']): Promise<{ html: string; text: string | undefined }> {
  const rendered = await renderSections(
    [pictureQualitySection],
    planOf({ conditions: { alone: conditions.alone }, run: { window: '10s' } }),
    [series === undefined ? {} : { series }],
  );
  return {
    html: rendered.page,
    text: parsePage(rendered.page).querySelector('#picture-quality')?.textContent.replace(/\s+/g, ' '),
  };
}

test('VMAF over time, what computed it, and the proof', async () => {
  const { html, text } = await page({ 'picture-quality': pictures(91), 'picture-comparison': [comparison] });
  assert.match(text!, /VMAF: vmaf_v0\.6\.1 by FFmpeg 9/);
  assert.match(
    text!,
    /was read in 498 of 500 presented frames; in 495 of them it was that of the clip's frame\. 3 still show the number of an earlier frame/,
  );
  const chart = chartsOf(html).find(({ title }) => title === 'VMAF over time')!;
  assert.deepEqual(chart.lines[0]!.values, new Array(20).fill(91));
});

test('without VMAF: PSNR in its place, and the mend', async () => {
  const { html, text } = await page({
    'picture-quality': pictures(null),
    'picture-comparison': [
      {
        ...comparison,
        vmaf: null,
        vmafMissing: 'no FFmpeg was found',
        numbersRight: 0,
        numbersOld: 0,
        numbersUnread: 500,
      },
    ],
  });
  assert.match(text!, /This report has PSNR and SSIM but no VMAF: no FFmpeg was found/);
  assert.match(text!, /No number painted into the 500 presented frames could be read/);
  assert.equal(chartsOf(html).find(({ title }) => title === 'PSNR over time')!.lines[0]!.values[0], 38);
});

test('a trial that could not be compared says why', async () => {
  const { text } = await page({
    'picture-comparison': [
      {
        ...comparison,
        vmaf: null,
        problem: 'video.ivf is no IVF file',
        shownPictures: 0,
        numbersRight: 0,
        numbersOld: 0,
        numbersUnread: 0,
      },
    ],
  });
  assert.match(text!, /Not compared: 0001-alone: video\.ivf is no IVF file/);
});

test('where nothing was compared there is no such section', async () => {
  assert.equal((await page(undefined)).text, undefined);
});
