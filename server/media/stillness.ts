/**
 * Share of a clip that stands still: periods of a second or more in which no frame differs from the previous one. Such
 * a clip needs almost no rate, and a stall in it is invisible.
 */

/** Shortest still period; a shorter one is a low frame rate. */
const leastStillS = 1;
/** Columns and rows of the points that are compared. */
const columns = 160;
const rows = 90;
/** Smallest change of a point, of 255: larger than an encoder's changes in a still picture. */
const leastChange = 6;
/**
 * Smallest share of changed points: a moving mouse pointer, 20 x 20 pixels of 1280 x 720 (0.0004), does not count as
 * motion.
 */
const changedRatio = 0.001;

export class Stillness {
  #before: Buffer | undefined;
  #stillS = 0;
  #sinceS = 0;

  /** Takes a frame's luma, rows without padding, and its start. */
  add(luma: Buffer, width: number, height: number, startS: number): void {
    const points = pointsOf(luma, width, height);
    if (this.#before !== undefined && !hasChanged(this.#before, points)) return;
    this.#end(startS);
    this.#before = points;
  }

  /** Returns the share of still time, 0 to 1, in a clip of `seconds`. */
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
