/** Direction towards the client (`down`) or from it (`up`). */
export type Direction = 'down' | 'up';
