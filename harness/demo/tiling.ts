/** Where the windows stand: the two frames side by side, the controls below them. */
import type { WindowPlace } from '../trial/browser/launch.ts';

/** Frames are 16:9. */
const aspect = 16 / 9;
/** The controls need about this much of the screen's height. */
const leastShareOfControls = 0.5;

export type Tiles = { harmed: WindowPlace; unharmed: WindowPlace; controls: WindowPlace };

/** `screen`: the part of it that windows may take, pixels. */
export function tile({ left, top, width, height }: WindowPlace): Tiles {
  const half = Math.floor(width / 2);
  const frameHeight = Math.floor(Math.min(half / aspect, height * (1 - leastShareOfControls)));
  return {
    harmed: { left, top, width: half, height: frameHeight },
    unharmed: { left: left + half, top, width: width - half, height: frameHeight },
    controls: { left, top: top + frameHeight, width, height: height - frameHeight },
  };
}
