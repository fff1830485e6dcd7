/** Congestion control of a sender as reports show it: its title, and the parameters that differ from their defaults. */
export type Controller = {
  id: string;
  title: string;
  /**
   * Parameters that differ from their defaults, as in the definition. Missing for a browser, which has no such
   * parameters, and in plans from before November 2026.
   */
  changed?: Record<string, unknown>;
};

/** Formats a controller with its changed parameters: "WebRTC-BBR (libwebrtc 2018-06), recovery=off". */
export function controllerWords({ title, changed = {} }: Controller): string {
  return [title, ...Object.entries(changed).map(([name, value]) => `${name}=${String(value)}`)].join(', ');
}
