/**
 * The recovery state: a window of its own that starts with the first loss and ends after a round without.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateRecoveryState and CalculateRecoveryWindow.
 * The window is never smaller than the lowest congestion window, so it does not collapse. Drucker et al. (section
 * VII-B) pin the state to 'none'.
 */
import { segmentBytes } from './congestion-window.ts';

type RecoveryState = 'none' | 'conservation' | 'medium-growth' | 'growth';

export type RecoveryOptions = {
  isOn: boolean;
  /** The state that a first loss in STARTUP leads to (initial_conservation); elsewhere it is 'conservation'. */
  startupState: RecoveryState;
  minWindowBytes: number;
};

export type LossReport = {
  /** The newest packet acknowledged. */
  lastAcked: number;
  /** The newest packet sent so far. */
  lastSent: number;
  hasLosses: boolean;
  isRoundStart: boolean;
  isStartup: boolean;
};

export class Recovery {
  readonly #options: RecoveryOptions;
  #state: RecoveryState = 'none';
  /** Recovery ends when a later packet than this is acknowledged. */
  #endsAfter = -1;
  /** undefined: to be set by the next update. */
  #windowBytes: number | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  get state(): RecoveryState {
    return this.#state;
  }

  /** Bytes that may be in flight; Infinity where there is nothing to recover from. */
  get windowBytes(): number {
    return this.#state === 'none' ? Infinity : (this.#windowBytes ?? Infinity);
  }

  /**
   * Works through a feedback message that acknowledges something. Returns whether recovery starts, which makes the
   * round start anew.
   */
  onReport({ lastAcked, lastSent, hasLosses, isRoundStart, isStartup }: LossReport): boolean {
    if (!this.#options.isOn) return false;
    if (hasLosses) this.#endsAfter = lastSent;
    if (this.#state === 'none') {
      if (!hasLosses) return false;
      this.#state = isStartup ? this.#options.startupState : 'conservation';
      this.#windowBytes = undefined;
      return true;
    }
    if (isRoundStart) this.#state = 'growth';
    if (!hasLosses && lastAcked > this.#endsAfter) this.#state = 'none';
    return false;
  }

  /** `inFlightBytes`: after the message. */
  updateWindow(ackedBytes: number, lostBytes: number, inFlightBytes: number): void {
    if (this.#state === 'none') return;
    const leastBytes = Math.max(inFlightBytes + ackedBytes, this.#options.minWindowBytes);
    if (this.#windowBytes === undefined) {
      this.#windowBytes = leastBytes;
      return;
    }
    const keptBytes = this.#windowBytes >= lostBytes ? this.#windowBytes - lostBytes : segmentBytes;
    const grownBytes = this.#state === 'growth' ? ackedBytes : this.#state === 'medium-growth' ? ackedBytes / 2 : 0;
    this.#windowBytes = Math.max(keptBytes + grownBytes, leastBytes);
  }
}
