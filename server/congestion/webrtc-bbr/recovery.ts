/**
 * The recovery state: a separate window that begins with the first loss and ends after a round without losses.
 *
 * Source: libwebrtc 2018-06 (968b1dd0d7), bbr_network_controller.cc, UpdateRecoveryState and CalculateRecoveryWindow.
 * The recovery window is never smaller than the minimum congestion window, so it does not collapse. Drucker et al.
 * (section VII-B) never leave the state 'none'.
 */
import { segmentBytes } from './congestion-window.ts';

type RecoveryState = 'none' | 'conservation' | 'medium-growth' | 'growth';

export type RecoveryOptions = {
  isOn: boolean;
  /**
   * State that follows the first loss in STARTUP (initial_conservation). In other modes the state is 'conservation'.
   */
  startupState: RecoveryState;
  minWindowBytes: number;
};

export type LossReport = {
  /** Sequence number of the newest acknowledged packet. */
  lastAcked: number;
  /** Sequence number of the newest packet sent. */
  lastSent: number;
  hasLosses: boolean;
  isRoundStart: boolean;
  isStartup: boolean;
};

export class Recovery {
  readonly #options: RecoveryOptions;
  #state: RecoveryState = 'none';
  /** Recovery ends when a packet with a higher sequence number is acknowledged. */
  #endsAfter = -1;
  /** Recovery window; undefined until the next call of `updateWindow` sets it. */
  #windowBytes: number | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  get state(): RecoveryState {
    return this.#state;
  }

  /** Recovery window: limit for the bytes in flight; Infinity outside of recovery. */
  get windowBytes(): number {
    return this.#state === 'none' ? Infinity : (this.#windowBytes ?? Infinity);
  }

  /**
   * Takes a feedback message that acknowledges packets. Returns true if recovery starts; the caller then restarts the
   * round.
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

  /** Updates the recovery window. `inFlightBytes`: bytes in flight after the feedback message. */
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
