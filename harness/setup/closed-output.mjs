/**
 * Side effect of importing this file: when the reader of the output leaves (`| head -1`, `| tee log` and Ctrl-C), later
 * output is discarded and the program continues to its end.
 */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
