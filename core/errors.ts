/**
 * Error class of the project, with the catalogue of its error codes.
 *
 * Every error that a user can meet has a code from the catalogue, a message that names the thing at fault and, if a
 * remedy is known, a hint. The command line prints the message and the hint, and exits with the exit status of the
 * code. It prints a stack trace only for errors that are not of this class.
 */

export const exitStatus = {
  done: 0,
  usage: 1,
  machineCannot: 2,
  trialsFailed: 3,
  /** The measurement is complete, but its results miss a threshold of the study. */
  checkMissed: 4,
  diskFull: 5,
  /** A bug in Coexist. The stack trace is printed. */
  unexpected: 6,
  interrupted: 130,
} as const;

/** Exit status of the command for each error code. The code names the fault. */
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
  /** Remedy for the error, as a sentence for the user. Undefined if no remedy is known. */
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

  /** Text for the user: the message and, on a second line, the hint. */
  get line(): string {
    return this.hint === undefined ? this.message : `${this.message}\n  -> ${this.hint}`;
  }
}

/** True if the text is an error code of the catalogue. Codes that arrive from another process are checked with it. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(catalogue, text);
}

/**
 * Returns the text `code` of an error, for example Node's code for a failed system call (`ENOSPC`). Undefined if the
 * error has no such code.
 */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Returns an error of the catalogue for an error of a file operation. `what`: path of the file, or words for it, in the
 * message.
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

/** Returns the message of any thrown value, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
