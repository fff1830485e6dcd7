/**
 * Imported for what it does: who reads what is printed here may leave (`| head -1`, `| tee log` and Ctrl-C). What is
 * printed from then on is lost, and the program goes on to its end.
 */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
