// Times and counts in words, compared with those of Node's own `Intl`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Language } from '../../../src/http/pages/language.ts';
import { ago, clockTimeOf, countOf, dayOf, minuteOf, offsetOf } from '../../../src/http/pages/moments.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';

const LANGUAGES: [Language, string][] = [
  ['en', 'en-GB'],
  ['zh', 'zh-Hans'],
];
const timeZone = 'America/St_Johns';
const NOW = Date.UTC(2026, 10, 21, 6, 30);
const moments = fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2200, 0, 1) });

for (const [language, tag] of LANGUAGES) {
  describe(`in ${tag}`, () => {
    test('distances are written as Intl writes them', () => {
      const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
      const units = [
        ['minute', MINUTE, 59],
        ['hour', HOUR, 23],
        ['day', DAY, 99],
        ['year', 365 * DAY, 200],
      ] as const;
      for (const [unit, length, most] of units) {
        for (let count = 1; count <= most; count += 1) {
          assert.equal(ago(NOW - count * length, NOW, language), format.format(-count, unit));
          assert.equal(ago(NOW + count * length, NOW, language), format.format(count, unit));
        }
      }
      // Months are used from a hundred days on.
      for (let count = 4; count <= 12; count += 1) {
        assert.equal(ago(NOW - count * 30 * DAY, NOW, language), format.format(-count, 'month'));
        assert.equal(ago(NOW + count * 30 * DAY, NOW, language), format.format(count, 'month'));
      }
      assert.equal(ago(NOW - 100 * DAY, NOW, language), format.format(-3, 'month'));
      assert.equal(ago(NOW + HOUR - SECOND, NOW, language), format.format(60, 'minute'));
    });

    test('dates and times are written as Intl writes them', () => {
      const day = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone });
      const minute = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone });
      fc.assert(
        fc.property(moments, (moment) => {
          assert.equal(dayOf(moment, { language, timeZone }), day.format(moment));
          assert.equal(minuteOf(moment, { language, timeZone }), minute.format(moment));
        }),
      );
    });

    test('times of day and counts are written as Intl writes them', () => {
      const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone });
      const count = new Intl.NumberFormat(tag);
      fc.assert(
        fc.property(moments, fc.nat(), (moment, number) => {
          assert.equal(clockTimeOf(moment, { language, timeZone }), time.format(moment));
          assert.equal(countOf(number), count.format(number));
        }),
      );
    });
  });
}

test('less than a minute is just now, and a time in the future is rounded', () => {
  assert.equal(ago(NOW - 59 * SECOND, NOW, 'en'), 'just now');
  assert.equal(ago(NOW + 59 * SECOND, NOW, 'zh'), '刚刚');
  assert.equal(ago(NOW + 30 * DAY - SECOND, NOW, 'en'), 'in 30 days');
  assert.equal(ago(NOW - 2 * DAY + SECOND, NOW, 'en'), 'yesterday');
});

test('the distance from UTC is that of the moment', () => {
  const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
  const offsets = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'UTC'].map((timeZone) =>
    [winter, summer].map((moment) => offsetOf(moment, { language: 'en', timeZone })),
  );

  assert.deepEqual(offsets, [
    ['UTC+1', 'UTC+2'],
    ['UTC-3:30', 'UTC-2:30'],
    ['UTC+5:30', 'UTC+5:30'],
    ['UTC+0', 'UTC+0'],
  ]);
});
