/** Layout of the windows: the two videos side by side, and the controls below the videos. */
import type { WindowPlace } from '../trial/browser/launch.ts';

const aspect = 16 / 9;
/** Smallest share of the screen's height that the controls get. */
const leastShareOfControls = 0.5;

export type Tiles = { harmed: WindowPlace; unharmed: WindowPlace; controls: WindowPlace };

/** Returns the places of the windows. `screen`: area that windows may take, pixels. */
export function tile({ left, top, width, height }: WindowPlace): Tiles {
  const half = Math.floor(width / 2);
  const frameHeight = Math.floor(Math.min(half / aspect, height * (1 - leastShareOfControls)));
  return {
    harmed: { left, top, width: half, height: frameHeight },
    unharmed: { left: left + half, top, width: width - half, height: frameHeight },
    controls: { left, top: top + frameHeight, width, height: height - frameHeight },
  };
}
