import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pushback } from '../../../../../server/congestion/gcc/pushback.ts';
import { near } from './near.ts';

/** A controller with a window of 1 Mbit/s x (50 + 350) ms = 50000 bytes. */
function pushback(inFlightBytes: number) {
  const controller = new Pushback(350);
  controller.addRtt(50);
  controller.updateWindow(1e6);
  controller.setInFlight(inFlightBytes);
  return controller;
}

test("the window is rate x (shortest of the reports' longest round trips + 350 ms), averaged", () => {
  const controller = new Pushback(350);
  controller.updateWindow(1e6);
  assert.equal(controller.windowBytes, undefined);
  controller.addRtt(90);
  controller.addRtt(50);
  controller.updateWindow(1e6);
  near(controller.windowBytes, (1e6 / 8) * 0.4);
  controller.updateWindow(2e6);
  near(controller.windowBytes, (50000 + 100000) / 2);
  for (let i = 0; i < 32; i++) controller.addRtt(250);
  controller.updateWindow(1e6);
  near(controller.windowBytes, (75000 + (1e6 / 8) * 0.6) / 2);
});

test('the window is at least two packets', () => {
  const controller = new Pushback(350);
  controller.addRtt(50);
  controller.updateWindow(10e3);
  assert.equal(controller.windowBytes, 3000);
});

test('a full window lowers the rate with every call, a half empty one raises it again', () => {
  const over = pushback(75001);
  near(over.apply(1e6), 900e3);
  near(over.apply(1e6), 810e3);
  over.setInFlight(50001);
  near(over.apply(1e6), 810e3 * 0.95);
  over.setInFlight(50000);
  near(over.apply(1e6), 810e3 * 0.95 * 1.05);
  for (let i = 0; i < 10; i++) over.apply(1e6);
  near(over.apply(1e6), 1e6);
});

test('an empty window ends it', () => {
  const over = pushback(80000);
  for (let i = 0; i < 10; i++) over.apply(1e6);
  over.setInFlight(4999);
  near(over.apply(1e6), 1e6);
});

test('not below 30 kbit/s, except where the rate is', () => {
  const over = pushback(80000);
  for (let i = 0; i < 100; i++) over.apply(1e6);
  near(over.apply(1e6), 30e3);
  near(over.apply(20e3), 20e3);
});
