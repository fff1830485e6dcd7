/** Simulations as lists of steps: what is looked at, and the bounds of what may be found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recording } from '../../harness/virtual/recording.ts';
import type { ControllerPlugin } from '../../server/congestion/controller.ts';
import { type SimulationOptions, simulate } from './simulation.ts';

export type Step = { what: string; value: (recording: Recording) => number; atLeast?: number; atMost?: number };
export type Scenario = Omit<SimulationOptions, 'controller' | 'feedback'> & { params?: Record<string, unknown> };

/** Runs the plug-in's controller once. */
export function runScenario(plugin: ControllerPlugin, { params, ...options }: Scenario): Recording {
  return simulate({
    ...options,
    feedback: plugin.feedback,
    controller: plugin.create(plugin.params.parse(params ?? {})),
  });
}

/** A function that makes a test of a scenario for that plug-in. */
export function scenarios(
  plugin: ControllerPlugin,
): (title: string, scenario: Scenario, steps: readonly Step[]) => void {
  return (title, scenario, steps) =>
    test(title, () => {
      const recording = runScenario(plugin, scenario);
      for (const { what, value, atLeast = -Infinity, atMost = Infinity } of steps) {
        const found = value(recording);
        assert.ok(found >= atLeast && found <= atMost, `${what}: found ${found}, wanted ${atLeast} to ${atMost}`);
      }
    });
}
