/**
 * How much of a clip stands still: time in which no frame differs from the one before it, in pieces of a second and
 * more. A clip that stands still needs almost no rate, and no stall can be seen in it.
 */

/** A shorter piece without a change is a low frame rate. */
const leastStillS = 1;
/** Columns and rows of points that are compared. */
const columns = 160;
const rows = 90;
/** A point has changed by more than what an encoder does to a picture that stays, of 255. */
const leastChange = 6;
/** A pointer of a mouse that moves is no motion: 20 x 20 pixels of 1280 x 720 are 0.0004 of it. */
const changedRatio = 0.001;

export class Stillness {
  #before: Buffer | undefined;
  #stillS = 0;
  #sinceS = 0;

  /** A frame's luma, rows without padding, and when it begins. */
  add(luma: Buffer, width: number, height: number, startS: number): void {
    const points = pointsOf(luma, width, height);
    if (this.#before !== undefined && !hasChanged(this.#before, points)) return;
    this.#end(startS);
    this.#before = points;
  }

  /** Of the clip, which is `seconds` long, 0 to 1. */
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
