/** Makes the Express application that serves the files of one page and nothing else. */
import express from 'express';
import { readPageFile } from './page-file.ts';

/**
 * Returns the application. `files`: files of client/ by their names in the URL. `others`: paths of other files by their
 * names in the URL.
 */
export function pageApp(
  files: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): express.Express {
  const app = express();
  app.disable('x-powered-by');
  for (const [name, file] of Object.entries(files)) {
    app.get(name, async (_request, response) => {
      const { body, type } = await readPageFile(file);
      response.setHeader('cache-control', 'no-store');
      response.type(type).send(body);
    });
  }
  for (const [name, path] of Object.entries(others)) app.get(name, (_request, response) => response.sendFile(path));
  app.use((_request, response) => {
    response.status(404).type('text').send('not found');
  });
  return app;
}
