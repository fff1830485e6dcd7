/**
 * Functions that a definition file may import from the package. They return their argument; in TypeScript they also
 * check its type.
 */
export const defineExperiment = definition => definition;
export const defineGame = definition => definition;
export const definePairs = definition => definition;
export const defineConformance = definition => definition;
