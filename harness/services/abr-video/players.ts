/** Script files of the players, by the player's name. Paths count from the root of the checkout. */
export const playerFiles = {
  'hls.js': 'node_modules/hls.js/dist/hls.mjs',
  'dash.js': 'node_modules/dashjs/dist/modern/esm/dash.mediaplayer.min.js',
} as const;

export const playerNames = ['hls.js', 'dash.js'] as const satisfies readonly (keyof typeof playerFiles)[];
