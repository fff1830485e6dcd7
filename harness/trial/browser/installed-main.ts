/** Prints the path of the browser that is installed, the best one; nothing where none is. Runs on any machine. */
import { installedBrowsers } from '../../setup/programs.mjs';

process.stdout.write(installedBrowsers()[0] ?? '');
