/**
 * Shipped contestants. Each is a service with parameters that resemble a service in the paper (Philip et al., SIGCOMM
 * 2024, table 1): number of flows, congestion control, request pattern and cap. No contestant is the named service
 * itself.
 */
import type { Choice } from '../../definition/applications.ts';

export type ContestantDefinition = {
  title: string;
  service: Choice;
  /** Service of the paper that the contestant resembles. */
  models?: string;
};

const video = { width: 640, height: 360, frameRate: 30 } as const;

export const contestants: Record<string, ContestantDefinition> = {
  'live-clip': {
    title: 'Live clip, GCC, 2.6 Mbit/s',
    service: { id: 'live-clip', ...video, maxBitrate: '2.6mbit' },
    models: 'Microsoft Teams (congestion control unknown, cap 2.6 Mbit/s)',
  },
  'chromium-call': {
    title: 'Chromium call, 1.5 Mbit/s',
    service: { id: 'chromium-call', ...video, maxBitrate: '1.5mbit' },
    models: 'Google Meet (GCC, cap 1.5 Mbit/s)',
  },
  'iperf-bbr': {
    title: 'iPerf BBRv1',
    service: { id: 'iperf', congestionControl: 'bbr', flows: 1 },
    models: 'iPerf (BBR, Linux 5.15)',
  },
  'iperf-bbr3': { title: 'iPerf BBRv3', service: { id: 'iperf', congestionControl: 'bbr3', flows: 1 } },
  'iperf-cubic': {
    title: 'iPerf CUBIC',
    service: { id: 'iperf', congestionControl: 'cubic', flows: 1 },
    models: 'iPerf (Cubic)',
  },
  'iperf-reno': {
    title: 'iPerf Reno',
    service: { id: 'iperf', congestionControl: 'reno', flows: 1 },
    models: 'iPerf (NewReno)',
  },
  'iperf-bbr-5': {
    title: 'iPerf BBRv1, 5 flows',
    service: { id: 'iperf', congestionControl: 'bbr', flows: 5 },
    models: 'five iPerf BBR flows (observation 4)',
  },
  'download-bbr': {
    title: 'Download, BBRv1',
    service: { id: 'download', congestionControl: 'bbr' },
    models: 'Dropbox (BBRv1.0, one flow)',
  },
  'download-bbr3': {
    title: 'Download, BBRv3',
    service: { id: 'download', congestionControl: 'bbr3' },
    models: 'Google Drive (BBRv3, one flow)',
  },
  'download-cubic-45': {
    title: 'Download, CUBIC, cap 45 Mbit/s',
    service: { id: 'download', congestionControl: 'cubic', cap: '45mbit' },
    models: 'OneDrive (Cubic, cap 45 Mbit/s)',
  },
  'batch-download': {
    title: 'Batch of five, BBRv1',
    service: { id: 'batch-download' },
    models: 'Mega (BBR, batches of five flows)',
  },
  'abr-video': {
    title: 'Adaptive video, BBRv1',
    service: { id: 'abr-video', congestionControl: 'bbr' },
    models: 'YouTube (BBR, cap 13 Mbit/s, one flow)',
  },
  'abr-quic': {
    title: 'Adaptive video over QUIC, BBRv3',
    service: { id: 'abr-video', congestionControl: 'bbr3', protocol: 'h3' },
    models: 'YouTube (BBR, cap 13 Mbit/s, one flow), over QUIC as it is',
  },
  'abr-video-2': {
    title: 'Adaptive video, BBRv1, 2 connections',
    service: { id: 'abr-video', congestionControl: 'bbr', connections: 2 },
    models: 'Vimeo (BBR, cap 14 Mbit/s, two flows)',
  },
  'abr-video-4': {
    title: 'Adaptive video, Reno, 4 connections',
    service: { id: 'abr-video', congestionControl: 'reno', connections: 4, topRate: '8mbit' },
    models: 'Netflix (NewReno, cap 8 Mbit/s, four flows)',
  },
  'abr-video-reno': {
    title: 'Adaptive video, Reno',
    service: { id: 'abr-video', congestionControl: 'reno', topRate: '8mbit' },
    models: 'Netflix with one flow instead of four',
  },
  'web-text': {
    title: 'Web page, text',
    service: { id: 'web-page', page: 'text' },
    models: 'wikipedia.org (BBRv1.0, 5 flows and more)',
  },
  'web-news': {
    title: 'Web page, news',
    service: { id: 'web-page', page: 'news', congestionControl: 'bbr3' },
    models: 'news.google.com (BBRv3, 20 flows and more)',
  },
  'web-grid': {
    title: 'Web page, images',
    service: { id: 'web-page', page: 'grid', congestionControl: 'bbr3' },
    models: 'youtube.com (BBRv3, 10 flows and more)',
  },
};
