/** File voice-scores.json of a run folder: the speech quality that `npm run verify -- RUN --voice` found. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { check, z } from '../../core/schema/schema.ts';
import { writeWhole } from '../../core/system/whole-file.ts';
import { readJson } from './json-file.ts';

const fileName = 'voice-scores.json';

const score = z.number().min(1).max(5);

const scoresSchema = z.object({
  voice: z.array(
    z.object({
      trial: z.string(),
      condition: z.string(),
      /** Mean over the pieces of the window, and the lowest of them. */
      score,
      lowest: score,
      pieces: z.int().min(1),
      /** Score of the same voice after the codec alone; null if it is not known. */
      codecAlone: score.nullable(),
      /** Settings of the codec, or why its score is not known. */
      codec: z.string(),
    }),
  ),
  /** Library that made the scores. */
  scoredBy: z.string(),
});

export type VoiceScores = z.output<typeof scoresSchema>;

/** Returns the scores in a run folder; null if its voices were not scored. */
export function readVoiceScores(folder: string): VoiceScores | null {
  const path = join(folder, fileName);
  return existsSync(path) ? check(scoresSchema, readJson(path), path) : null;
}

/** Keeps the scores that the second program wrote into `from` in a run folder. */
export function keepVoiceScores(folder: string, from: string): void {
  const scores = check(scoresSchema, readJson(from), from);
  writeWhole(join(folder, fileName), `${JSON.stringify(scores, null, 1)}\n`);
}
