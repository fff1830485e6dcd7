/** Functions that a definition file imports from the package. They return their argument and check its type. */
export const defineExperiment = definition => definition;
export const defineGame = definition => definition;
export const definePairs = definition => definition;
