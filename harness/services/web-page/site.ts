/**
 * Three pages modelled on those in Philip et al., table 1. They are made from a seed: the same words and images each
 * time.
 *
 *   text  like an encyclopedia's: mostly text, one or two images, one origin
 *   news  headlines with forty thumbnails, from two dozen origins, with scripts that block the page
 *   grid  a wall of thirty-two larger images that a script adds, from ten origins
 */
import { deriveSeed, type Random, seededRandom } from '../../../core/random.ts';
import { incompressible } from '../shared/incompressible.ts';
import { encodePng } from './png.ts';

export const pageNames = ['text', 'news', 'grid'] as const;
export type PageName = (typeof pageNames)[number];

/** Number of origins of each page. An origin is a port, and a browser opens up to six connections to each. */
export const originsOfPage: Record<PageName, number> = { text: 1, news: 24, grid: 10 };

type SiteFile = { type: string; body: Buffer };

const vocabulary =
  'queue packet fair share rate link delay stream codec frame flow loss round trip window buffer bottleneck service client server video segment ladder median trial sample estimate page image load time network measure compare result figure table section method'.split(
    ' ',
  );

const below = (random: Random, count: number) => Math.floor(random.next() * count);
const wordsOf = (random: Random, count: number) =>
  Array.from({ length: count }, () => vocabulary[below(random, vocabulary.length)]).join(' ');

/**
 * Returns an image of coloured patches with two bits of noise. It has about a quarter of a byte per pixel, like a
 * thumbnail of good quality.
 */
function image(seed: string, width: number, height: number): SiteFile {
  const random = seededRandom(deriveSeed(1, 'web-page', seed));
  const colours = 16;
  const palette = Buffer.alloc(colours * 4 * 3);
  for (let colour = 0; colour < colours; colour++) {
    const base = [0, 1, 2].map(() => below(random, 200));
    for (let shade = 0; shade < 4; shade++)
      palette.set(
        base.map(value => value + 12 * shade),
        (colour * 4 + shade) * 3,
      );
  }
  const [patchWidth, patchHeight] = [Math.ceil(width / 6), Math.ceil(height / 4)];
  const patches = Array.from({ length: 24 }, () => below(random, colours));
  const pixels = Buffer.alloc(width * height);
  const start = below(random, 1 << 20);
  for (let y = 0; y < height; y++) {
    const noise = incompressible(start + y * width, width);
    for (let x = 0; x < width; x++)
      pixels[y * width + x] =
        patches[Math.floor(y / patchHeight) * 6 + Math.floor(x / patchWidth)]! * 4 + (noise[x]! % 4);
  }
  return { type: 'image/png', body: encodePng(width, height, palette, pixels) };
}

const text = (type: string, body: string): SiteFile => ({ type, body: Buffer.from(body) });

/**
 * Returns a style sheet or script of a given size. `beginning`: part with an effect. `line`: returns rules or functions
 * without effect that follow.
 */
function padded(type: string, beginning: string, kilobytes: number, line: (k: number) => string): SiteFile {
  const lines = [beginning];
  for (let length = beginning.length; length < kilobytes * 1024; length += lines.at(-1)!.length + 1)
    lines.push(line(lines.length));
  return text(type, lines.join('\n'));
}

const look =
  'body{font:16px/1.5 sans-serif;margin:0 auto;max-width:1200px;color:#222}h1{font-size:32px}img{display:block}' +
  '.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:12px}' +
  '.news{display:grid;grid-template-columns:repeat(3,1fr);gap:20px}.news img,.grid img{width:100%}';
const sheet = (name: string, kilobytes: number) => {
  const random = seededRandom(deriveSeed(1, 'sheet', name));
  return padded(
    'text/css',
    look,
    kilobytes,
    k => `.c${k}{color:#${below(random, 4096).toString(16).padStart(3, '0')};padding:${k % 17}px}`,
  );
};
const script = (name: string, kilobytes: number, body: string) => {
  const random = seededRandom(deriveSeed(1, 'script', name));
  return padded(
    'text/javascript',
    body,
    kilobytes,
    k => `function f${k}(a,b){return a*${below(random, 1e6)}+b-${k}} // ${wordsOf(random, 6)}`,
  );
};
const html = (title: string, head: string, body: string) =>
  text(
    'text/html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${head}${body}</html>`,
  );
const many = <T>(count: number, each: (k: number) => T): T[] => Array.from({ length: count }, (_, k) => each(k));

type Site = Record<string, SiteFile>;

const sites: Record<PageName, (origins: readonly string[]) => Site> = {
  text() {
    const random = seededRandom(deriveSeed(1, 'text'));
    const paragraphs = many(90, () => `<p>${wordsOf(random, 60 + below(random, 80))}.</p>`).join('\n');
    return {
      '/': html(
        'text',
        '<link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css">',
        `<h1>${wordsOf(random, 4)}</h1><img src="/a.png" width="300" height="200" style="float:right">` +
          `${paragraphs}<img src="/b.png" width="200" height="140"><script src="/a.js"></script>`,
      ),
      '/a.css': sheet('a', 30),
      '/b.css': sheet('b', 12),
      '/a.js': script('a', 60, 'document.documentElement.dataset.ready = 1;'),
      '/a.png': image('a', 300, 200),
      '/b.png': image('b', 200, 140),
    };
  },
  news(origins) {
    const random = seededRandom(deriveSeed(1, 'news'));
    const at = (k: number, path: string) => `${origins[k % origins.length]}${path}`;
    const scriptKilobytes = [120, 80, 60, 150, 40, 30];
    const stories = many(
      40,
      k =>
        `<div><img src="${at(5 + k, `/${k}.png`)}" width="380" height="214">` +
        `<h3>${wordsOf(random, 9)}</h3><p>${wordsOf(random, 20)}</p></div>`,
    ).join('\n');
    const scripts = many(5, k => `<script src="${at(19 + k, `/${k + 1}.js`)}"${k > 1 ? ' async' : ''}></script>`);
    return {
      '/': html(
        'news',
        `${many(4, k => `<link rel="stylesheet" href="${at(k, `/${k}.css`)}">`).join('')}<script src="${at(4, '/0.js')}"></script>`,
        `<h1>${wordsOf(random, 3)}</h1><div class="news">${stories}</div>${scripts.join('')}`,
      ),
      ...Object.fromEntries(many(4, k => [`/${k}.css`, sheet(`${k}`, 20)])),
      ...Object.fromEntries(
        scriptKilobytes.map((kilobytes, k) => [`/${k}.js`, script(`${k}`, kilobytes, `window.part${k} = 1;`)]),
      ),
      ...Object.fromEntries(many(40, k => [`/${k}.png`, image(`news ${k}`, 190, 107)])),
    };
  },
  grid(origins) {
    const random = seededRandom(deriveSeed(1, 'grid'));
    const build = `const origins = ${JSON.stringify(origins)};
addEventListener('DOMContentLoaded', () => {
  for (let k = 0; k < 32; k++) {
    const item = document.createElement('div');
    item.innerHTML = \`<img width="480" height="270" src="\${origins[k % origins.length]}/\${k}.png"><h4>item \${k}</h4>\`;
    document.querySelector('.grid').append(item);
  }
});`;
    return {
      '/': html(
        'grid',
        '<link rel="stylesheet" href="/a.css"><script src="/a.js"></script>',
        `<h1>${wordsOf(random, 2)}</h1><div class="grid"></div>`,
      ),
      '/a.css': sheet('grid', 40),
      '/a.js': script('grid', 400, build),
      ...Object.fromEntries(many(32, k => [`/${k}.png`, image(`grid ${k}`, 480, 270)])),
    };
  },
};

/** Returns the files of a page by URL path. `/` is the page. Every origin serves all files. */
export function makeSite(name: PageName, origins: readonly string[]): Site {
  return sites[name](origins);
}
