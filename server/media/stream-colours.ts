/**
 * Colours of every stream: BT.709 in limited range. The encoder writes the colours into the stream (ITU-T H.264, E.2.1:
 * video usability information), so that a browser need not guess them from the frame size.
 */

import * as C from 'node-av/constants';
import type * as av from 'node-av/lib';

/** Sets the colours of an encoder. Must be called before the encoder is opened. */
export function setStreamColours(context: av.CodecContext): void {
  context.colorSpace = C.AVCOL_SPC_BT709;
  context.colorPrimaries = C.AVCOL_PRI_BT709;
  context.colorTrc = C.AVCOL_TRC_BT709;
  context.colorRange = C.AVCOL_RANGE_MPEG;
}
