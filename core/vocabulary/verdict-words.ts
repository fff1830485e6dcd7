/** Words for the verdict on a try in text for people. Files use the keys. */
export const verdictWords = { valid: 'valid', degraded: 'valid, disturbed', invalid: 'void' } as const;
