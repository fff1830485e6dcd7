/** Loads the claims of papers from the shipped studies, and the pages of docs/results. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../core/system/paths.ts';
import type { PaperClaim } from '../../definition/paper-claim.ts';
import { papers } from '../../definition/papers.ts';
import { type PublishedPage, readPage } from './page.ts';
import { unstudied } from './unstudied.ts';

const shelves = [
  new URL('../../studies/experiment/shipped/', import.meta.url),
  new URL('../../studies/game/shipped/', import.meta.url),
  new URL('../../studies/pairs/shipped/', import.meta.url),
];

async function claimsIn(shelf: URL): Promise<PaperClaim[]> {
  const files = (await readdir(shelf)).filter(name => name.endsWith('.ts')).sort();
  const modules = await Promise.all(
    files.map(async name => (await import(new URL(name, shelf).href)) as { paperClaims?: PaperClaim[] }),
  );
  return modules.flatMap(({ paperClaims = [] }) => paperClaims);
}

/** Returns all claims: by paper, the main claim of each first, the others in the order of their places. */
export async function loadPaperClaims(): Promise<PaperClaim[]> {
  const all = [...(await Promise.all(shelves.map(claimsIn))).flat(), ...unstudied];
  const order = Object.keys(papers);
  return all.toSorted(
    (a, b) =>
      order.indexOf(a.paper) - order.indexOf(b.paper) ||
      Number(b.isMain ?? false) - Number(a.isMain ?? false) ||
      a.place.localeCompare(b.place, 'en', { numeric: true }),
  );
}

/** Returns the pages of docs/results, by name. The index is not among them. */
export async function loadPages(): Promise<Map<string, PublishedPage>> {
  const folder = join(projectRoot, 'docs/results');
  const names = (await readdir(folder)).filter(name => name.endsWith('.md') && name !== 'README.md').sort();
  const pages = await Promise.all(
    names.map(async name => readPage(name.slice(0, -3), await readFile(join(folder, name), 'utf8'))),
  );
  return new Map(pages.map(page => [page.name, page]));
}
