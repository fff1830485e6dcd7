/**
 * A sender's congestion control as a report names it: its title, and those of its parameters that are not the
 * default's.
 */
export type Controller = {
  id: string;
  title: string;
  /**
   * As the definition has them; missing in plans of before November 2026 and of a browser, which has no such
   * parameters.
   */
  changed?: Record<string, unknown>;
};

/** "WebRTC-BBR (libwebrtc 2018-06), recovery=off". */
export function controllerWords({ title, changed = {} }: Controller): string {
  return [title, ...Object.entries(changed).map(([name, value]) => `${name}=${String(value)}`)].join(', ');
}
