/**
 * Measures the share of a clip that stands still: periods of a second or more in which no frame differs from the
 * previous one. A still clip needs almost no rate, and a viewer cannot see that a still clip stalls.
 */

/** Shortest still period, s. A shorter period without a change may come from a low frame rate. */
const leastStillS = 1;
/** Numbers of columns and rows of the points that are compared between frames. */
const columns = 160;
const rows = 90;
/** Smallest change of a point's luma that counts, of 255 steps. An encoder makes smaller changes in a still picture. */
const leastChange = 6;
/**
 * Smallest share of changed points that counts as motion. A moving mouse pointer of 20 x 20 pixels in 1280 x 720 (a
 * share of 0.0004) does not.
 */
const changedRatio = 0.001;

export class Stillness {
  #before: Buffer | undefined;
  #stillS = 0;
  #sinceS = 0;

  /** Takes the luma of a frame (rows without padding) and the frame's start, s. */
  add(luma: Buffer, width: number, height: number, startS: number): void {
    const points = pointsOf(luma, width, height);
    if (this.#before !== undefined && !hasChanged(this.#before, points)) return;
    this.#end(startS);
    this.#before = points;
  }

  /** Returns the share of still time in a clip of `seconds` seconds, 0 to 1. */
  ratio(seconds: number): number {
    this.#end(seconds);
    return Math.min(1, this.#stillS / seconds);
  }

  #end(atS: number): void {
    if (atS - this.#sinceS >= leastStillS) this.#stillS += atS - this.#sinceS;
    this.#sinceS = atS;
  }
}

function pointsOf(luma: Buffer, width: number, height: number): Buffer {
  const [across, down] = [Math.min(columns, width), Math.min(rows, height)];
  const points = Buffer.allocUnsafe(across * down);
  for (let y = 0, at = 0; y < down; y++) {
    const row = Math.floor((y * height) / down) * width;
    for (let x = 0; x < across; x++) points[at++] = luma[row + Math.floor((x * width) / across)]!;
  }
  return points;
}

function hasChanged(a: Buffer, b: Buffer): boolean {
  const most = b.length * changedRatio;
  let changed = 0;
  for (let k = 0; k < b.length; k++) if (Math.abs(a[k]! - b[k]!) > leastChange && ++changed > most) return true;
  return false;
}
