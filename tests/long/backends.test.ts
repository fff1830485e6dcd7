/** What every backend has to keep: those whose parts the backends of tests/e2e have, too. */
import { keepsItsLink } from '../e2e/support/backend-tests.ts';

for (const backend of ['tc+line', 'tbf'] as const) keepsItsLink(backend);
