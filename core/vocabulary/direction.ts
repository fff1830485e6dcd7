/** Direction towards the client (`down`) or from it (`up`). */
export type Direction = 'down' | 'up';

export const directions = ['down', 'up'] as const satisfies readonly Direction[];
