/** Words for the verdict on a try of a trial, in text for people. Files contain the keys. */
export const verdictWords = { valid: 'valid', degraded: 'valid, disturbed', invalid: 'void' } as const;
