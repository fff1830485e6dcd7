/** Prints the path of the best installed browser; prints nothing if none is installed. Runs on any machine. */
import { installedBrowsers } from '../../setup/programs.mjs';

process.stdout.write(installedBrowsers()[0] ?? '');
