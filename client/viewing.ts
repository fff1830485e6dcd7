/**
 * Records the stream as the page shows it: every frame, the statistics of the connection, and delays of the page's main
 * thread. It does not evaluate these data.
 */
import { ConnectionLog } from './connection-log.ts';
import { timeMs, toUnixMs } from './page-clock.ts';
import { plainEntry } from './plain-entry.ts';
import { TimerLateness } from './timer-lateness.ts';
import { VoiceRecorder } from './voice-recorder.ts';
import type { PageDrain, PageState, PageStatus, PresentedFrame, StatsSample } from './wire.ts';

export class Viewing {
  readonly #video: HTMLVideoElement;
  readonly #statusLine: HTMLElement;
  readonly #lateness = new TimerLateness();
  readonly #stream = new MediaStream();
  #heard: VoiceRecorder | undefined;
  #connection: RTCPeerConnection | undefined;
  #log: ConnectionLog | undefined;
  #state: PageState = 'starting';
  #failure: PageStatus['failure'] = null;
  #presentedFrames = 0;
  #frames: PresentedFrame[] = [];

  constructor(video: HTMLVideoElement, statusLine: HTMLElement) {
    this.#video = video;
    this.#statusLine = statusLine;
  }

  enter(next: PageState): void {
    if (this.#state === 'failed' || this.#state === 'closed') return;
    this.#state = next;
    this.#statusLine.textContent = next === 'playing' ? '' : next;
  }

  fail(code: NonNullable<PageStatus['failure']>['code'], message: string): void {
    if (this.#state === 'closed') return;
    this.#failure ??= { code, message };
    this.enter('failed');
    this.#statusLine.textContent = message;
  }

  close(): void {
    this.#connection?.close();
    this.enter('closed');
    this.#state = 'closed';
  }

  /**
   * Plays the video and the voice that a connection receives, and follows the state of the connection. `sender`: name of the other end
   * in messages. Callers must exchange offer and answer through the returned log.
   */
  follow(peer: RTCPeerConnection, sender: string): ConnectionLog {
    this.#connection = peer;
    const log = (this.#log = new ConnectionLog(peer));
    peer.addEventListener('track', event => {
      this.#stream.addTrack(event.track);
      this.#video.srcObject = this.#stream;
      if (event.track.kind === 'audio')
        this.#heard = new VoiceRecorder(event.track, { isCaptured: false }, () => this.#onHeard(peer));
      else this.#video.requestVideoFrameCallback((now, metadata) => this.#onFrame(now, metadata));
    });
    peer.addEventListener('connectionstatechange', () => {
      if (peer.connectionState === 'failed') this.fail('connection', `the connection to ${sender} failed`);
    });
    return log;
  }

  status(): PageStatus {
    return { state: this.#state, failure: this.#failure, presentedFrames: this.#presentedFrames };
  }

  /** Returns everything that was collected since the last call, with current statistics. */
  async drain(): Promise<PageDrain> {
    const stats = await this.#readStats();
    const drained = {
      status: this.status(),
      frames: this.#frames,
      heard: this.#heard?.drain() ?? [],
      stats,
      events: this.#log?.drain() ?? [],
      mainThreadDelayMaxMs: this.#lateness.take(),
      visible: document.visibilityState === 'visible',
    };
    this.#frames = [];
    return drained;
  }

  /** A page without video plays as soon as something is heard. */
  #onHeard(peer: RTCPeerConnection): void {
    if (peer.getReceivers().every(({ track }) => track.kind === 'audio')) this.enter('playing');
  }

  /**
   * Records a frame from the metadata that Chromium passes. Their times are DOMHighResTimeStamps; `processingDuration`
   * is in seconds.
   */
  #onFrame(now: number, metadata: VideoFrameCallbackMetadata): void {
    this.enter('playing');
    this.#presentedFrames = metadata.presentedFrames;
    this.#frames.push({
      callbackMs: toUnixMs(now),
      presentationMs: toUnixMs(metadata.presentationTime),
      expectedDisplayMs: toUnixMs(metadata.expectedDisplayTime),
      presentedFrames: metadata.presentedFrames,
      receiveMs: metadata.receiveTime === undefined ? null : toUnixMs(metadata.receiveTime),
      rtpTimestamp: metadata.rtpTimestamp ?? null,
      ...(metadata.captureTime === undefined ? {} : { captureTimeMs: toUnixMs(metadata.captureTime) }),
      processingMs: metadata.processingDuration === undefined ? null : metadata.processingDuration * 1000,
      width: metadata.width,
      height: metadata.height,
    });
    this.#video.requestVideoFrameCallback((at, next) => this.#onFrame(at, next));
  }

  async #readStats(): Promise<StatsSample | null> {
    if (this.#connection === undefined || this.#connection.connectionState === 'closed') return null;
    const report = await this.#connection.getStats();
    const sample: StatsSample = { timeMs: timeMs(), inbound: null, candidatePair: null, remoteOutbound: null };
    report.forEach(entry => {
      if (entry.type === 'inbound-rtp' && entry.kind === 'video') sample.inbound = plainEntry(entry);
      if (entry.type === 'inbound-rtp' && entry.kind === 'audio') sample.inboundAudio = plainEntry(entry);
      if (entry.type === 'candidate-pair' && entry.nominated) sample.candidatePair = plainEntry(entry);
      if (entry.type === 'remote-outbound-rtp' && entry.kind === 'video') sample.remoteOutbound = plainEntry(entry);
    });
    return sample;
  }
}
