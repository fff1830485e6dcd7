/**
 * Colours of conditions, as readers with each kind of colour blindness see them: Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1. Distances are in CIELAB.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../../../../core/system/paths.ts';

type Triple = [number, number, number];

const visions: Record<string, Triple[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Linear sRGB to XYZ of D65. */
const toXyz: Triple[] = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

const times = (matrix: readonly Triple[], v: Triple) =>
  matrix.map(row => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Triple;

function linear(hex: string): Triple {
  return [1, 3, 5].map(at => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

function lab(rgb: Triple): Triple {
  const [x, y, z] = times(toXyz, rgb.map(value => Math.min(1, Math.max(0, value))) as Triple).map((value, k) => {
    const t = value / [0.95047, 1, 1.08883][k]!;
    return t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
  }) as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const style = readFileSync(join(projectRoot, 'reports/page/style.css'), 'utf8');
const pairOf = (name: string) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style)!.slice(1);
const luminance = (hex: string) => times(toXyz, linear(hex))[1];

for (const [theme, name] of ['light', 'dark'].entries()) {
  const colours = Array.from({ length: 8 }, (_, k) => pairOf(`c${k}`)[theme]!);
  const back = pairOf('back')[theme]!;

  test(`in the ${name} theme lines stand out from the page as WCAG 1.4.11 asks`, () => {
    for (const colour of colours) {
      const [low, high] = [luminance(colour), luminance(back)].sort((a, b) => a - b);
      assert.ok((high! + 0.05) / (low! + 0.05) >= 3, colour);
    }
  });

  for (const [vision, matrix] of Object.entries(visions)) {
    test(`in the ${name} theme each colour differs from each other one with ${vision} vision`, () => {
      const seen = colours.map(colour => lab(times(matrix, linear(colour))));
      for (const [i, a] of seen.entries())
        for (const [j, b] of seen.slice(0, i).entries()) {
          const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
          // few conditions are usual, so their colours differ most
          assert.ok(distance >= (i < 4 ? 25 : 12), `${colours[j]} and ${colours[i]}: ${distance.toFixed(1)}`);
        }
    });
  }
}
