/**
 * Colours of every stream: BT.709 in limited range. They are written into the stream (ITU-T H.264, E.2.1: video usability
 * information), so that a browser shows what was meant and need not guess by the size of the frame.
 */

import * as C from 'node-av/constants';
import type * as av from 'node-av/lib';

/** Of an encoder that is not open yet. */
export function setStreamColours(context: av.CodecContext): void {
  context.colorSpace = C.AVCOL_SPC_BT709;
  context.colorPrimaries = C.AVCOL_PRI_BT709;
  context.colorTrc = C.AVCOL_TRC_BT709;
  context.colorRange = C.AVCOL_RANGE_MPEG;
}
