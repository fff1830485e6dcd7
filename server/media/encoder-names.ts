/**
 * Names by which an encoder can be asked for. Apart from the encoders themselves, so that checking a definition loads
 * no FFmpeg.
 */
export const encoderNames = ['auto', 'h264_nvenc', 'libx264'] as const;

export type EncoderName = (typeof encoderNames)[number];
