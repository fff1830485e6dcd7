/** The players' own code, by name: modules as their packages ship them, paths from the checkout's root. */
export const playerFiles = {
  'hls.js': 'node_modules/hls.js/dist/hls.mjs',
  'dash.js': 'node_modules/dashjs/dist/modern/esm/dash.mediaplayer.min.js',
} as const;

export const playerNames = ['hls.js', 'dash.js'] as const satisfies readonly (keyof typeof playerFiles)[];
