/** Reading of a page with a video. */
export const element = {
  area: 230_400,
  width: 1280,
  height: 720,
  positionS: 12.5,
  bufferS: 30,
  stalls: 1,
  stalledMs: 300,
  openStallMs: 0,
  presentedFrames: 300,
  droppedFrames: 2,
};
