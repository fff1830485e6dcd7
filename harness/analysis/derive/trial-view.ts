/**
 * Trial as reports see it: its record, and the values derived from the record. Reports use objects of this class
 * instead of importing the derivations.
 */

import type { Reading } from '../../../core/stats/counters.ts';
import type { GapLimits, Measure } from '../../../core/vocabulary/measure.ts';
import { type PictureComparisonRecord, pictureComparisonSeries } from '../../record/series/picture-comparison.ts';
import { type PictureQualityRecord, pictureQualitySeries } from '../../record/series/picture-quality.ts';
import { type PingRecord, pingSeries } from '../../record/series/ping.ts';
import type { QueueDelayRecord } from '../../record/series/queue-delay.ts';
import type { TransportReading } from '../../record/transport.ts';
import type { ApplicationFile, TrialFile } from '../../record/trial-file.ts';
import type { TrialRecord, Window } from '../../record/trial-record.ts';
import { type StallOrFreeze, stallsAndFreezes } from './attribution/attribute.ts';
import { floodModel, type ModelQuantity, type StateShare, stateShares } from './flood-model.ts';
import { frameLatencies } from './frame-latencies.ts';
import { chromiumCount, type Freeze, freezesOf } from './freezes.ts';
import { type LinkStopsReading, linkStopsReading, type StopInWindow, stopsInWindow } from './link-stops.ts';
import { type FieldRates, fieldRates } from './packet-fields.ts';
import type { Gap } from './presentation.ts';
import { presentedPerBin } from './presented-times.ts';
import { delaySeries } from './queue-traffic.ts';
import { bytesOf, ownBytes } from './rates.ts';
import { pingRoundTrips } from './round-trips.ts';
import { framesAround } from './timeline/around.ts';
import { type FrameInParts, inParts } from './timeline/frame-parts.ts';
import { timelineOf } from './timeline/timeline.ts';
import { type Interruption, interruptionsOf } from './voice/interruptions.ts';

export class TrialView {
  readonly #record: TrialRecord;

  constructor(record: TrialRecord) {
    this.#record = record;
  }

  /** Returns a view of the same trial with an empty cache. Derived values are cached in the view and freed with it. */
  anew(): TrialView {
    return new TrialView(this.#record.as(this.application.name));
  }

  get file(): TrialFile {
    return this.#record.file;
  }

  get measure(): Measure {
    return this.#record.measure;
  }

  /** Limits above which a time without a new frame is a stall, or is too long for smooth video. */
  get gapLimits(): GapLimits {
    return this.#record.gapLimits;
  }

  get application(): TrialRecord['application'] {
    return this.#record.application;
  }

  /** Entry of this view's application in the trial file; undefined if the trial was given up before its measurement. */
  get own(): ApplicationFile | undefined {
    return this.#record.own;
  }

  get window(): Window {
    return this.#record.window;
  }

  /** Reading of the connections of all floods; null without a flood or without a reading. */
  get flood(): TransportReading | null {
    return this.#record.flood;
  }

  pings(): Promise<PingRecord[]> {
    return this.#record.read(pingSeries);
  }

  pingRoundTrips(): ReturnType<typeof pingRoundTrips> {
    return pingRoundTrips(this.#record);
  }

  /** Returns the queue delays of all traffic at the first bottleneck through which the application sends. */
  queueDelay(): Promise<QueueDelayRecord[]> {
    return this.#record.atFirst().queueDelay();
  }

  /** Number and length of the stops of the application's bottleneck; null if they are unknown. */
  get linkStopsReading(): LinkStopsReading | null {
    return linkStopsReading(this.#record.atFirst());
  }

  /** Returns the stops of the application's bottleneck inside the window. */
  linkStops(): Promise<StopInWindow[]> {
    return stopsInWindow(this.#record.atFirst());
  }

  /**
   * Returns the median queue delays of the application's packets, ms. `hop`: place of the bottleneck in the row, from
   * 1; missing: the first that the application crosses.
   */
  async ownDelays(hop?: number): Promise<{ timeMs: number; value: number }[]> {
    const at = hop === undefined ? this.#record.atFirst() : this.#record.atHop(hop);
    return delaySeries(await at.queueDelay(), [this.#record]);
  }

  /** Returns the median queue delays of the other applications' packets in the application's direction, ms. */
  async othersDelays(): Promise<{ timeMs: number; value: number }[]> {
    return delaySeries(await this.queueDelay(), this.#record.others());
  }

  /** Returns the packets of the media by ECN field, per second in each bin; null if none had ECT or CE. */
  fieldRates(binMs: number): Promise<FieldRates | null> {
    return fieldRates(this.#record, binMs);
  }

  /** Returns readings of the bytes that the application received: the media of a call, else one series per flow. */
  ownBytes(): Promise<Reading[][]> {
    return ownBytes(this.#record);
  }

  /** Returns readings of the bytes that the other applications received, one series per flow. */
  othersBytes(): Promise<Reading[][]> {
    return bytesOf(this.#record.others());
  }

  floodModel(quantity: ModelQuantity, binMs: number): Promise<(number | null)[]> {
    return floodModel(this.#record, quantity, binMs);
  }

  stateShares(): Promise<StateShare[]> {
    return stateShares(this.#record);
  }

  /** Returns the rate of presented frames in each bin of the window, frames per second. */
  presentedPerBin(binMs: number): Promise<number[]> {
    return presentedPerBin(this.#record, binMs);
  }

  frameLatencies(): ReturnType<typeof frameLatencies> {
    return frameLatencies(this.#record);
  }

  /** Returns the freezes as defined by W3C; undefined if no frame was presented. */
  freezes(): Promise<Freeze[] | undefined> {
    return freezesOf(this.#record);
  }

  /** Returns the growth of a counter of Chromium over the window; null if the counter was not read. */
  chromiumCount(name: Parameters<typeof chromiumCount>[1]): Promise<number | null> {
    return chromiumCount(this.#record, name);
  }

  /** Returns the stalls and freezes with their causes, in chronological order. */
  stallsAndFreezes(): Promise<StallOrFreeze[]> {
    return stallsAndFreezes(this.#record);
  }

  /** Returns the interruptions of the voice with their causes; undefined without a voice, or if nothing is known of it. */
  interruptions(): Promise<Interruption[] | undefined> {
    return interruptionsOf(this.#record);
  }

  /** Returns the parts of the latency of about `most` frames around a gap. */
  async framesAround({ endMs, lengthMs }: Gap, most: number): Promise<FrameInParts[]> {
    const { frames } = await timelineOf(this.#record);
    return framesAround(frames, { fromMs: endMs - lengthMs, toMs: endMs }, most).map(inParts);
  }

  /** Returns the record that describes the comparison of pictures; undefined if frames were not compared. */
  async pictureComparison(): Promise<PictureComparisonRecord | undefined> {
    return (await this.#record.read(pictureComparisonSeries))[0];
  }

  pictureQuality(): Promise<PictureQualityRecord[]> {
    return this.#record.read(pictureQualitySeries);
  }
}
