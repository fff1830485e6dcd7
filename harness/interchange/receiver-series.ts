/** Series written by the viewer, and by a sender that is a browser. */
import type {
  CallerRecord,
  ConnectionRecord,
  PageRecord,
  PresentedFrameRecord,
  StatsRecord,
} from '../record/series.ts';
import {
  count,
  type Fields,
  flag,
  frames,
  ms,
  type OpenFields,
  pixels,
  type SeriesDescription,
  seconds,
  text,
  time,
} from './field.ts';

const statistics = (prefix: string, dictionary: string): OpenFields => ({
  prefix,
  source: `W3C webrtc-stats, ${dictionary}`,
  about: "as getStats gave it, by its name there: seconds, bytes and counts, timestamps in ms of the page's clock",
});

const presented: Fields<PresentedFrameRecord> = {
  callbackMs: time('when the page was called back for the frame'),
  presentationMs: time('when the frame was handed to the compositor'),
  expectedDisplayMs: time(
    "when the browser expected it to be visible, by the clock of its display; Chromium's is most often a few ms " +
      'before presentationMs, so it is no end of rendering',
  ),
  presentedFrames: frames('handed to the compositor so far, this one included; the callback may miss some'),
  receiveMs: time('when its last packet arrived'),
  rtpTimestamp: count('RTP timestamp (90 kHz): joins it to frames.sent'),
  processingMs: ms('decoding time'),
  width: pixels('width of the frame'),
  height: pixels('height of the frame'),
};

const stats: Fields<StatsRecord> = { timeMs: time('when the statistics were read') };

const connection: Fields<ConnectionRecord> = {
  timeMs: time('when the page made the call, or the event came'),
  end: text('receiver, or sender: whose connection it is'),
  type: text('name of the call or event, as chrome://webrtc-internals has it'),
  value: text('its description, candidate or state as JSON; empty where it has none'),
};

const page: Fields<PageRecord> = {
  timeMs: time('when the page was asked'),
  mainThreadDelayMaxMs: ms('longest time since the last record that its main thread was kept from a timer'),
  visible: flag('whether the browser took the page to be visible'),
};

const caller: Fields<CallerRecord> = {
  timeMs: time('when the statistics were read'),
  cpuLimitedS: seconds('how long the encoder has been limited by the processor so far'),
  mainThreadDelayMaxMs: page.mainThreadDelayMaxMs,
  visible: page.visible,
};

export const receiverSeries: Record<string, SeriesDescription> = {
  'frames.presented': {
    title: 'Frames that the browser presented (requestVideoFrameCallback)',
    pace: 'each frame',
    fields: presented,
  },
  stats: {
    title: 'getStats of the receiving connection',
    pace: 'once a second',
    fields: stats,
    open: [
      statistics('inbound.', 'RTCInboundRtpStreamStats of the video'),
      statistics('candidatePair.', 'RTCIceCandidatePairStats of the nominated pair'),
      statistics('remoteOutbound.', 'RTCRemoteOutboundRtpStreamStats'),
    ],
  },
  connection: {
    title: 'Calls and events of the connections that are in a browser: offer, answer, candidates, states',
    pace: 'each',
    fields: connection,
  },
  page: { title: "Punctuality of the viewer's page", pace: 'once a second', fields: page },
  caller: {
    title: 'A sender that is a browser: getStats of its connection and punctuality of its page',
    pace: 'once a second',
    fields: caller,
    open: [
      statistics('outbound.', 'RTCOutboundRtpStreamStats of the video'),
      statistics('candidatePair.', 'RTCIceCandidatePairStats of the nominated pair'),
      statistics('remoteInbound.', 'RTCRemoteInboundRtpStreamStats'),
    ],
  },
};
