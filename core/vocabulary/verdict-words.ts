/** What the verdict on a try is called where people read it. Files have `degraded` and `invalid`. */
export const verdictWords = { valid: 'valid', degraded: 'valid, disturbed', invalid: 'void' } as const;
