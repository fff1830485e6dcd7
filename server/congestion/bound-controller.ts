/** A congestion controller together with its checked parameters. */
import { type Bindable, bindable } from '../../core/plugins.ts';
import type { Controller, ControllerPlugin, FeedbackKind } from './controller.ts';

export type BoundController = {
  /** Feedback that the controller needs. */
  feedback: FeedbackKind;
  /** ECN field that its packets should have; null: the controller ignores CE. */
  ect: 'ect0' | 'ect1' | null;
  /** Returns a controller that has seen nothing yet. */
  create(): Controller;
};

export function bindableController(plugin: ControllerPlugin): Bindable<BoundController> {
  const { feedback = 'transport' } = plugin;
  return bindable(plugin, params => ({
    feedback,
    ect: plugin.ect?.(params) ?? null,
    create: () => plugin.create(params),
  }));
}
