/** Congestion control of a sender for a report: its title, and the parameters that differ from their defaults. */
export type Controller = {
  id: string;
  title: string;
  /**
   * Parameters as in the definition. Missing in plans from before November 2026, and for a browser, which has no such
   * parameters.
   */
  changed?: Record<string, unknown>;
};

/** Formats a controller: "WebRTC-BBR (libwebrtc 2018-06), recovery=off". */
export function controllerWords({ title, changed = {} }: Controller): string {
  return [title, ...Object.entries(changed).map(([name, value]) => `${name}=${String(value)}`)].join(', ');
}
