/**
 * Starts a program that uses another name server than the machine. The resolver reads the server's address from
 * /etc/resolv.conf, which all network namespaces share. The program therefore gets a mount namespace with another file
 * in that place (unshare(1), mount(8)). The namespace ends with the program.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../../core/text/shell.ts';

/** Writes a shell program into `folder` that sets the name server and then becomes `executable`. Returns its path. */
export function withResolver(executable: string, nameServer: string, folder: string): string {
  const [file, program] = [join(folder, 'resolv.conf'), join(folder, 'browser-with-resolver')];
  writeFileSync(file, `nameserver ${nameServer}\n`, { mode: 0o644 });
  writeFileSync(
    program,
    `#!/bin/sh\nexec unshare --mount -- sh -c 'mount --bind "$0" /etc/resolv.conf && exec "$@"' ` +
      `${quoteWord(file)} ${quoteWord(executable)} "$@"\n`,
  );
  chmodSync(program, 0o700);
  return program;
}
