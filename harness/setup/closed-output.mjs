/**
 * Importing this file lets the program continue when the reader of its output ends first (`| head -1`, `| tee log` and
 * Ctrl-C). Later output is discarded.
 */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
