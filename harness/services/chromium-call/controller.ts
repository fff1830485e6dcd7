/**
 * Congestion controls that Chromium has, and the field trials of libwebrtc by which the two browsers of a call use them
 * (api/transport/goog_cc_factory.cc, pc/media_session.cc).
 *
 * Both browsers need the trial for feedback of RFC 8888: the sender to offer the feedback, the receiver to accept the
 * offer. A browser that does not know a value of a trial says nothing and uses GCC. Therefore feedback and marks of the
 * call are checked.
 */
import { CoexistError } from '../../../core/errors.ts';
import type { FeedbackFormat } from '../../../core/vocabulary/feedback-format.ts';

export const controllers = ['gcc', 'gcc-rfc8888', 'scream-v2', 'scream-after-ce'] as const;
type Controller = (typeof controllers)[number];

type Use = {
  title: string;
  /** Feedback on which sender and receiver have to agree; undefined: any. */
  feedback?: FeedbackFormat;
  /** True if the sender marks its packets with ECT(1), because its congestion control reacts to CE. */
  setsEct1: boolean;
  sender: string;
  receiver: string;
};

const rfc8888 = 'WebRTC-RFC8888CongestionControlFeedback/Enabled';
const overRfc8888 = { feedback: 'ccfb', receiver: `${rfc8888}/` } as const;

export const uses: Readonly<Record<Controller, Use>> = {
  gcc: { title: 'GCC', setsEct1: false, sender: '', receiver: '' },
  'gcc-rfc8888': {
    title: 'GCC with feedback of RFC 8888',
    ...overRfc8888,
    setsEct1: false,
    sender: `${rfc8888},offer:true/`,
  },
  'scream-v2': {
    title: 'SCReAMv2',
    ...overRfc8888,
    setsEct1: true,
    sender: `${rfc8888},offer:true/WebRTC-Bwe-ScreamV2/Enabled/`,
  },
  'scream-after-ce': {
    title: 'GCC until the first CE mark, then SCReAMv2',
    ...overRfc8888,
    setsEct1: true,
    sender: `${rfc8888},offer:true/WebRTC-Bwe-ScreamV2/mode:only_after_ce/`,
  },
};

/** Names of the field trials in a text such as `A/Enabled/B/Disabled/`. */
const namesIn = (trials: string) => trials.split('/').filter((_, i, { length }) => i % 2 === 0 && i < length - 1);

/** Returns a field trial that both texts set; undefined if there is none. */
export function trialTwice(trials: string, others: string): string | undefined {
  const names = namesIn(others);
  return namesIn(trials).find(name => names.includes(name));
}

/** Returns the switches with which a browser uses the field trials. */
export function trialSwitches(trials: string): string[] {
  return trials === '' ? [] : [`--force-fieldtrials=${trials}`];
}

/**
 * Throws `no-browser` if the browsers did not agree on the feedback that the congestion control needs. `agreed`: formats
 * in the answer.
 */
export function requireFeedback(controller: Controller, agreed: readonly FeedbackFormat[], version: string): void {
  const { title, feedback } = uses[controller];
  if (feedback === undefined || agreed.includes(feedback)) return;
  throw new CoexistError(
    'no-browser',
    `Chromium ${version} cannot use ${title}: its answer has ${agreed.length === 0 ? 'no feedback' : agreed.join(' and ')}, not ${feedback}`,
    { hint: 'take another controller for the call, or another browser with CHROMIUM_PATH' },
  );
}

/**
 * Throws `no-browser` if a sender that has to set ECT(1) has sent packets without it. `sent`: packets that the sender
 * has sent, and those of them with ECT(1), of getStats; undefined if the browser does not report them.
 */
export function requireEct1(
  controller: Controller,
  sent: { packets: unknown; withEct1: unknown },
  version: string,
): void {
  const { title, setsEct1 } = uses[controller];
  if (!setsEct1 || Number(sent.packets ?? 0) === 0 || Number(sent.withEct1 ?? 0) > 0) return;
  throw new CoexistError('no-browser', `Chromium ${version} does not have ${title}: it sends no packet with ECT(1)`, {
    hint: 'take another controller for the call, or another browser with CHROMIUM_PATH',
  });
}
