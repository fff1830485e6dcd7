/** Program that serves web pages: every file of one page on every port. */
import { type HttpConfig, send, serve } from '../shared/http-program.ts';
import { readConfig } from '../shared/program-config.ts';
import { makeSite, type PageName } from './site.ts';

type PageServerConfig = HttpConfig & { page: PageName; origins: string[] };

const config = readConfig<PageServerConfig>();
const files = makeSite(config.page, config.origins);

await serve(config, {}, ({ pathname }, response) => {
  if (!Object.hasOwn(files, pathname)) return false;
  const { type, body } = files[pathname]!;
  send(response, type, body);
  return true;
});
