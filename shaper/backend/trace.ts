/**
 * Packet-delivery traces in mahimahi's format (mm-link(1)): one line for each opportunity to send 1500 bytes, the
 * time in ms since the trace's start, not falling. The trace repeats; its last time is its period.
 */
import { CoexistError, messageOf, systemCode } from '../../core/errors.ts';
import { readRegularFile } from '../../core/regular-file.ts';

const opportunityBytes = 1500;
/** The emulator holds the trace in memory. */
const maxOpportunities = 2_000_000;
/** A line has at most ten digits and its end; there is room for white space. */
const maxBytes = 16 * maxOpportunities;

type TraceFacts = { opportunities: number; periodMs: number; meanRateBps: number };

/** Throws `bad-definition` that names the file, the line and what is wrong with it. */
export function readTrace(file: string): TraceFacts {
  let text: string;
  try {
    text = readRegularFile(file, maxBytes);
  } catch (error) {
    const why =
      error instanceof CoexistError
        ? error.message
        : `${file} cannot be read (${systemCode(error) ?? messageOf(error)})`;
    throw new CoexistError('bad-definition', `link.trace: ${why}`, {
      hint: 'give the path of a trace in the format of mahimahi',
    });
  }
  return checkTrace(text, file);
}

export function checkTrace(text: string, name: string): TraceFacts {
  const refuse = (what: string) =>
    new CoexistError('bad-definition', `link.trace: ${name}${what}`, {
      hint: 'a trace has one time in whole ms on each line, not falling (mm-link(1))',
    });
  const lines = text.split('\n').map(line => line.trim());
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) throw refuse(' is empty');
  if (lines.length > maxOpportunities) throw refuse(` has ${lines.length} lines, more than ${maxOpportunities}`);
  let before = 0;
  for (const [k, line] of lines.entries()) {
    if (!/^\d{1,10}$/.test(line)) throw refuse(`, line ${k + 1}: "${line.slice(0, 40)}" is not a time in whole ms`);
    const timeMs = Number(line);
    if (timeMs < before) throw refuse(`, line ${k + 1}: ${timeMs} ms comes after ${before} ms`);
    before = timeMs;
  }
  if (before === 0) throw refuse(' lasts no time: its last line must be more than 0');
  return {
    opportunities: lines.length,
    periodMs: before,
    meanRateBps: (lines.length * opportunityBytes * 8000) / before,
  };
}
