/** Where the windows stand: the two pictures side by side, the controls below them. */
import type { WindowPlace } from '../browser/launch.ts';

/** Pictures are 16:9. */
const aspect = 16 / 9;
/** The controls need about this much of the screen's height. */
const leastShareOfControls = 0.5;

export type Tiles = { harmed: WindowPlace; unharmed: WindowPlace; controls: WindowPlace };

/** `screen`: the part of it that windows may take, pixels. */
export function tile({ left, top, width, height }: WindowPlace): Tiles {
  const half = Math.floor(width / 2);
  const pictureHeight = Math.floor(Math.min(half / aspect, height * (1 - leastShareOfControls)));
  return {
    harmed: { left, top, width: half, height: pictureHeight },
    unharmed: { left: left + half, top, width: width - half, height: pictureHeight },
    controls: { left, top: top + pictureHeight, width, height: height - pictureHeight },
  };
}
