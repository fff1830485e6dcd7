/**
 * The one error class of the project, with its catalogue.
 *
 * Every error a user can meet carries a code from the catalogue, a message that names the thing at
 * fault and, where there is one, a hint that names the mend. The command line prints exactly these
 * two and exits with the code's exit status; a stack trace is shown for unknown errors only.
 */

/** Exit statuses of every command. */
export const exitStatus = {
  done: 0,
  usage: 1,
  machineCannot: 2,
  trialsFailed: 3,
  /** All was measured, and what was asked of the results does not hold. */
  checkMissed: 4,
  diskFull: 5,
  /** A fault of the program itself: its stack is printed. */
  unexpected: 6,
  interrupted: 130,
} as const;

/** Code -> exit status. The key says what went wrong, in the words of the command line. */
const catalogue = {
  usage: exitStatus.usage,
  'bad-definition': exitStatus.usage,
  'bad-clip': exitStatus.usage,
  'bad-run-folder': exitStatus.usage,
  'no-root': exitStatus.machineCannot,
  'missing-program': exitStatus.machineCannot,
  'missing-kernel-feature': exitStatus.machineCannot,
  'missing-congestion-control': exitStatus.machineCannot,
  'no-internet': exitStatus.machineCannot,
  'no-browser': exitStatus.machineCannot,
  'no-h264': exitStatus.machineCannot,
  'no-display': exitStatus.machineCannot,
  'no-encoder': exitStatus.machineCannot,
  'no-memory': exitStatus.machineCannot,
  'disk-full': exitStatus.diskFull,
  'cannot-write': exitStatus.machineCannot,
  'command-failed': exitStatus.machineCannot,
  'port-taken': exitStatus.machineCannot,
  'disk-slow': exitStatus.trialsFailed,
  'queue-lost': exitStatus.machineCannot,
  'no-host': exitStatus.machineCannot,
  'host-lost': exitStatus.trialsFailed,
  'link-refused': exitStatus.trialsFailed,
  'link-died': exitStatus.trialsFailed,
  'uplink-lost': exitStatus.trialsFailed,
  'browser-died': exitStatus.trialsFailed,
  'browser-failed': exitStatus.trialsFailed,
  'server-died': exitStatus.trialsFailed,
  'server-failed': exitStatus.trialsFailed,
  'probe-died': exitStatus.trialsFailed,
  'no-video': exitStatus.trialsFailed,
  'service-failed': exitStatus.trialsFailed,
  'timed-out': exitStatus.trialsFailed,
  'trials-failed': exitStatus.trialsFailed,
  'thresholds-missed': exitStatus.checkMissed,
  interrupted: exitStatus.interrupted,
} as const;

export type ErrorCode = keyof typeof catalogue;

export class CoexistError extends Error {
  readonly code: ErrorCode;
  /** One sentence that names the mend, or undefined where none is known. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CoexistError';
    this.code = code;
    this.hint = options.hint;
  }

  get exitStatus(): number {
    return catalogue[this.code];
  }

  /** The line (or two) that a user sees. */
  get line(): string {
    return this.hint === undefined ? this.message : `${this.message}\n  -> ${this.hint}`;
  }
}

/** True for a code of the catalogue: used where a code arrives over a wire. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text);
}

/** The `code` of a Node system error (`ENOSPC`), or undefined. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Turns what a file operation threw into an error of the catalogue.
 * `what` is the path or thing written.
 */
export function writeError(error: unknown, what: string): CoexistError {
  if (error instanceof CoexistError) return error;
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new CoexistError('disk-full', `disk full: ${what} could not be written`, {
      hint: 'free some room or choose another place with --out, then go on with --resume; completed trials are kept',
      cause: error,
    });
  }
  return new CoexistError('cannot-write', `${what} could not be written (${code ?? String(error)})`, {
    hint: 'check that the folder exists and may be written, or choose another with --out',
    cause: error,
  });
}

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
