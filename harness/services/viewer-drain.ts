/** Schemas of the data that a page with a stream reports (client/viewing.ts). */
import type {
  ConnectionEvent,
  PageDrain,
  PageStatus,
  PresentedFrame,
  StatsEntry,
  StatsSample,
  VoicePart,
} from '../../client/wire.ts';
import { object, z } from '../../core/schema/schema.ts';
import { schemaOf } from '../../core/schema/schema-of.ts';
import { byteCount, count, list, pixels, reason, spanMs, unixMs, vitals } from './shared/page-values.ts';

/** Maximum number of values of one entry in getStats; Chromium reports up to 50. */
const mostValues = 500;
/** Maximum length of a text value, characters; the description of a codec has about a hundred. */
const longestValue = 2000;
/** Largest absolute number. The priority of a candidate pair has 64 bits; all other values are smaller. */
const largestValue = 2 ** 64;
/** Pattern of a value's name. Names are identifiers, so that a message can show them. */
const nameOfValue = /^\w{1,100}$/;

/** Schemas of the values of getStats that live displays calculate with. Only the type of other values is checked. */
const counters: Readonly<Record<string, z.ZodType>> = {
  bytesReceived: byteCount,
  headerBytesReceived: byteCount,
  packetsReceived: count,
  freezeCount: count,
  totalFreezesDuration: spanMs,
};

function fits(name: string, value: unknown): value is StatsEntry[string] {
  if (!nameOfValue.test(name)) return false;
  const counter = Object.hasOwn(counters, name) ? counters[name] : undefined;
  if (counter !== undefined) return counter.safeParse(value).success;
  if (typeof value === 'number') return Math.abs(value) <= largestValue;
  return typeof value === 'boolean' || (typeof value === 'string' && value.length <= longestValue);
}

/** Checks an entry of getStats by hand, since an entry has a hundred values and arrives every second. */
export const statsEntry = z.unknown().transform((entry, context): StatsEntry => {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    context.addIssue('is not an object');
    return z.NEVER;
  }
  const values = Object.entries(entry);
  if (values.length > mostValues) {
    context.addIssue(`has ${values.length} values; it must have ${mostValues} at most`);
    return z.NEVER;
  }
  const wrong = values.find(([name, value]) => !fits(name, value));
  if (wrong === undefined) return Object.fromEntries(values) as StatsEntry;
  const [name] = wrong;
  if (nameOfValue.test(name)) context.addIssue(`${name} has a value that it cannot have`);
  else context.addIssue('has a value without a proper name');
  return z.NEVER;
});

/**
 * Maximum number of frames in one reading: half an hour at 120 frames per second. The page is usually read once a
 * second, but not while other services of the trial begin. A DevTools message cannot hold more frames.
 */
const mostFrames = 216_000;

export const statusSchema = schemaOf<PageStatus>()(
  object({
    state: z.enum(['starting', 'connecting', 'playing', 'failed', 'closed']),
    failure: object({ code: z.enum(['no-h264', 'refused', 'connection']), message: reason }).nullable(),
    presentedFrames: count,
  }).refine(({ state, failure }) => state !== 'failed' || failure !== null, { error: 'failed without a reason' }),
);

const frameSchema = schemaOf<PresentedFrame>()(
  object({
    callbackMs: unixMs,
    presentationMs: unixMs,
    expectedDisplayMs: unixMs,
    presentedFrames: count,
    receiveMs: unixMs.nullable(),
    rtpTimestamp: z
      .number()
      .int()
      .min(0)
      .max(2 ** 32 - 1)
      .nullable(),
    captureTimeMs: unixMs.exactOptional(),
    processingMs: spanMs.nullable(),
    width: pixels,
    height: pixels,
  }),
);

const statsSchema = schemaOf<StatsSample>()(
  object({
    timeMs: unixMs,
    inbound: statsEntry.nullable(),
    inboundAudio: statsEntry.exactOptional(),
    candidatePair: statsEntry.nullable(),
    remoteOutbound: statsEntry.nullable(),
  }),
);

/**
 * Schema of a call or event of the connection, by its name in Chromium. A session description with one video stream has
 * 5000 characters.
 */
const eventSchema = schemaOf<ConnectionEvent>()(
  object({ timeMs: unixMs, type: z.string().regex(/^[A-Za-z]{1,50}$/), value: z.string().max(200_000) }),
);
/** Events of the connection. A connection that is negotiated once has about thirty, with one candidate per address. */
export const eventList = list(eventSchema, 10_000);

/** Largest part of the voice, characters of base64: a second of 32 kB. The page sends a quarter of a second. */
const longestPart = 43_000;
/** Maximum number of parts in one reading; the page keeps two minutes. */
const mostParts = 1000;

const voicePartSchema = schemaOf<VoicePart>()(
  object({
    timeMs: unixMs,
    pcm: z
      .string()
      .max(longestPart)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/),
  }),
);

/** Parts of a voice that a page has recorded. */
export const voiceParts = list(voicePartSchema, mostParts);

export const drainSchema = schemaOf<PageDrain>()(
  object({
    status: statusSchema,
    frames: list(frameSchema, mostFrames),
    heard: voiceParts,
    stats: statsSchema.nullable(),
    events: eventList,
    ...vitals,
  }),
);
