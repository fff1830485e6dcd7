/**
 * Server of adaptive video: playlists, segments of the virtual ladder, the page and the code of the players.
 *
 *   GET /video/master.m3u8, /video/RUNG.m3u8, /video/manifest.mpd, /video/init.mp4
 *   GET /video/RUNG/NUMBER.m4s                  a segment
 *   GET /video/RUNG/NUMBER.m4s?part=I&of=N      part I (from 0) of N parts of a segment
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../../core/system/paths.ts';
import { pages } from '../../../server/pages/page-file.ts';
import { type HttpConfig, send, sendBytes, serve } from '../shared/http-program.ts';
import { readConfig } from '../shared/program-config.ts';
import { parseFragments } from './fragments.ts';
import { Ladder } from './ladder.ts';
import { playerFiles } from './players.ts';

type SegmentServerConfig = HttpConfig & {
  /** Path of the video in fragments. */ video: string;
  topBps: number;
  player: keyof typeof playerFiles;
};

const config = readConfig<SegmentServerConfig>();
const ladder = new Ladder(parseFragments(readFileSync(config.video)), config.topBps);
const player = gzipSync(readFileSync(`${projectRoot}${playerFiles[config.player]}`));

function sendSegment(response: ServerResponse, rung: number, number: number, part: number, of: number): boolean {
  if (!ladder.has(rung, number) || !(of >= 1 && part >= 0 && part < of)) return false;
  const { bytes, piece } = ladder.segment(rung, number);
  const [from, to] = [Math.floor((bytes * part) / of), Math.floor((bytes * (part + 1)) / of)];
  sendBytes(response, 'video/iso.segment', to - from, (offset, most) => piece(from + offset, most));
  return true;
}

await serve(config, pages.video, ({ pathname, searchParams }, response) => {
  const [, rung, number] = /^\/video\/(\d+)\/(\d+)\.m4s$/.exec(pathname) ?? [];
  if (number !== undefined)
    return sendSegment(
      response,
      Number(rung),
      Number(number),
      Number(searchParams.get('part') ?? 0),
      Number(searchParams.get('of') ?? 1),
    );
  const [, list] = /^\/video\/(\d+)\.m3u8$/.exec(pathname) ?? [];
  if (list !== undefined && Number(list) in ladder.rungsBps)
    send(response, 'application/vnd.apple.mpegurl', ladder.playlist(Number(list)));
  else if (pathname === '/video/master.m3u8') send(response, 'application/vnd.apple.mpegurl', ladder.master());
  else if (pathname === '/video/manifest.mpd') send(response, 'application/dash+xml', ladder.manifest());
  else if (pathname === '/video/init.mp4') send(response, 'video/mp4', ladder.init);
  else if (pathname === '/player.mjs') send(response, 'text/javascript', player, { 'content-encoding': 'gzip' });
  else return false;
  return true;
});
