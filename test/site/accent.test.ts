// The accent colour can be read on light and on dark pages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  contrast,
  contrastOn,
  ENOUGH_CONTRAST,
  problemWithAccent,
  readAccent,
  shadesOf,
  THEMES,
  TINT,
} from '../../src/site/accent.ts';

describe('An accent', () => {
  test('is read from # and six digits, in either case, also without #, and can be empty', () => {
    assert.deepEqual(['#2f6045', ' #2F6045 ', '2f6045', ''].map(readAccent), [
      '#2f6045',
      '#2f6045',
      '#2f6045',
      '',
    ]);
    for (const text of ['green', '#2f6', '#2f60455', '#2f604g', 'none', '#', 'url(#2f6045)', '#2f6045;}']) {
      const isRefused = text !== '#' && problemWithAccent(text)?.problem === 'not_a_colour';
      assert.equal(isRefused, text !== '#', text);
    }
  });

  test('has the contrast that the formula of WCAG gives', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
    assert.equal(contrast('#ffffff', '#767676').toFixed(2), '4.54');
  });

  test('that is too light is refused with its contrast and the nearest darker shade that can be read', () => {
    const problem = problemWithAccent('#e8a070');

    assert.ok(problem?.problem === 'contrast');
    assert.equal(problem.ratio.toFixed(2), '1.90');
    assert.equal(readAccent('#e8a070'), undefined);
    assert.equal(readAccent(problem.nearest), problem.nearest);
    const channels = [1, 3, 5].map((at) => Number.parseInt(problem.nearest.slice(at, at + 2), 16));
    const lighter = channels
      .map((value) =>
        Math.min(255, value + 2)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('');
    assert.equal(readAccent(lighter), undefined, 'it is the nearest');
  });

  test('has enough contrast everywhere on light and on dark pages, whatever the colour', () => {
    const steps = ['00', '33', '66', '99', 'cc', 'ff'];
    for (const red of steps) {
      for (const green of steps) {
        for (const blue of steps) {
          const colour = `#${red}${green}${blue}`;
          const problem = problemWithAccent(colour);
          const accent = problem?.problem === 'contrast' ? problem.nearest : colour;
          const { light, dark } = shadesOf(accent);
          assert.ok(contrastOn(THEMES.light, light) >= ENOUGH_CONTRAST, `${colour} on light pages`);
          assert.ok(contrastOn(THEMES.dark, dark) >= ENOUGH_CONTRAST, `${colour} on dark pages`);
        }
      }
    }
  });

  test('is measured against the colours of the style sheet, whose own accent has enough contrast too', () => {
    const style = readFileSync(join(import.meta.dirname, '../../src/http/static/style.css'), 'utf8');
    const pair = (name: string) =>
      new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(style)?.slice(1);

    const { light, dark } = THEMES;
    assert.deepEqual(pair('paper'), [light.paper, dark.paper]);
    assert.deepEqual(pair('card'), [light.card, dark.card]);
    assert.deepEqual(pair('on-accent'), [light.onAccent, dark.onAccent]);
    assert.ok(style.includes(`--tint: color-mix(in oklab, var(--accent), transparent ${100 - 100 * TINT}%)`));
    const [lightAccent = '', darkAccent = ''] = pair('accent') ?? [];
    assert.ok(contrastOn(light, lightAccent) >= ENOUGH_CONTRAST);
    assert.ok(contrastOn(dark, darkAccent) >= ENOUGH_CONTRAST);
  });
});
