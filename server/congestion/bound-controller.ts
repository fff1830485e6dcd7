/** A congestion controller together with its checked parameters. */
import { type Bindable, bindable } from '../../core/plugins.ts';
import type { Controller, ControllerPlugin, FeedbackKind } from './controller.ts';

export type BoundController = {
  /** Feedback that the controller needs. */
  feedback: FeedbackKind;
  /** Returns a controller that has seen nothing yet. */
  create(): Controller;
};

export function bindableController(plugin: ControllerPlugin): Bindable<BoundController> {
  const { feedback = 'transport' } = plugin;
  return bindable(plugin, params => ({ feedback, create: () => plugin.create(params) }));
}
