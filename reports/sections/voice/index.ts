/** Section on the voice of a study that sends one: interruptions, concealment, delay and lip-sync. */
import { object } from '../../../core/schema/schema.ts';
import { interruptionMs } from '../../../core/vocabulary/interruption.ts';
import { conditionDots } from '../../charts/condition-dots.ts';
import { html } from '../../html.ts';
import { conditionsNote, type ReportSection, validCounts } from '../../report.ts';
import { scoreWords, voiceWords } from '../../voice-words.ts';

const shown = [
  'voice-interruption-rate',
  'voice-interruption-time',
  'voice-gap-share',
  'voice-concealed',
  'mouth-to-ear-median',
  'mouth-to-ear-p95',
  'lip-sync-median',
];

export const plugin: ReportSection = {
  id: 'voice',
  title: 'Voice',
  source: 'ITU-T G.114 (05/2003); ITU-R BT.1359-1 (1998); W3C webrtc-stats',
  params: object({}),
  order: 78,
  async render(report) {
    const sentences = report.summary.conditions.flatMap(({ id, title }) => {
      const words = voiceWords(id, report.summary);
      if (words === null) return [];
      const score = scoreWords(id, report.voiceScores);
      return [html`<li><b>${title}</b>: ${words}${score === null ? '' : `; ${score}`}.</li>`];
    });
    if (sentences.length === 0) return null;
    const dots = shown.flatMap(id => conditionDots(report, id) ?? []);
    return html`<ul>${sentences}</ul>
<figure><div class="panels">${dots.map(dot => html`<div>${dot}</div>`)}</div>
<figcaption>An interruption is a gap of at least ${interruptionMs} ms in the samples that the listener's browser passed on
for playing: they were compared with those that were spoken. Concealed voice is what the browser itself counts. Mouth to
ear is the delay of chirps in the voice, without microphone and loudspeaker. Viewers notice a voice that is 45 ms early or
125 ms late against the picture (ITU-R BT.1359-1).${
      report.voiceScores === null
        ? ''
        : ` Score: speech quality from 1 to 5 (MOS-LQO) by ${report.voiceScores.scoredBy}; codec alone: of the same voice
encoded and decoded without a network.`
    } Circles: trials; line: their median; bar: its interval (range below six
trials). ${validCounts(report)}. ${conditionsNote(report)}</figcaption></figure>`;
  },
};
