/** What a definition file imports from the package: functions that return what they are given, for its types. */
export const defineExperiment = definition => definition;
export const defineGame = definition => definition;
export const definePairs = definition => definition;
