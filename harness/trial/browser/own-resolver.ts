/**
 * Starts a program with a name server of its own. The resolver reads the server's address from /etc/resolv.conf, which
 * all network namespaces share. So the program gets a mount namespace with another file there (unshare(1), mount(8)),
 * which is removed with it.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteWord } from '../../../core/text/shell.ts';

/** Path of a program that becomes `executable`. `folder`: where it is written. */
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
