// Times and counts in words, compared with those of Node's own `Intl`.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Language } from '../../../src/http/pages/language.ts';
import {
  ago,
  agoElement,
  clockTimeOf,
  countOf,
  dayOf,
  minuteOf,
  offsetOf,
} from '../../../src/http/pages/moments.ts';
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
    const locale = { language, timeZone };

    test('distances are written as Intl writes them', () => {
      const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
      const units = [
        ['minute', MINUTE, 59],
        ['hour', HOUR, 23],
        ['day', DAY, 99],
      ] as const;
      for (const [unit, length, most] of units) {
        for (let count = 1; count <= most; count += 1) {
          assert.equal(ago(NOW - count * length, NOW, locale), format.format(-count, unit));
          assert.equal(ago(NOW + count * length, NOW, locale), format.format(count, unit));
        }
      }
      // Months are used from a hundred days on.
      for (let count = 4; count <= 12; count += 1) {
        assert.equal(ago(NOW - count * 30 * DAY, NOW, locale), format.format(-count, 'month'));
        assert.equal(ago(NOW + count * 30 * DAY, NOW, locale), format.format(count, 'month'));
      }
      for (let count = 1; count <= 200; count += 1) {
        assert.equal(ago(Date.UTC(2026 - count, 10, 21), NOW, locale), format.format(-count, 'year'));
        assert.equal(ago(Date.UTC(2026 + count, 10, 22), NOW, locale), format.format(count, 'year'));
      }
      assert.equal(ago(NOW - 100 * DAY, NOW, locale), format.format(-3, 'month'));
      assert.equal(ago(NOW + HOUR - SECOND, NOW, locale), format.format(60, 'minute'));
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

const english = { language: 'en', timeZone } as const;
const chinese = { language: 'zh', timeZone } as const;

test('less than a minute is just now, and a time in the future is rounded', () => {
  assert.equal(ago(NOW - 59 * SECOND, NOW, english), 'just now');
  assert.equal(ago(NOW + 59 * SECOND, NOW, chinese), '刚刚');
  assert.equal(ago(NOW + 30 * DAY - SECOND, NOW, english), 'in 30 days');
});

test('yesterday and tomorrow are the days beside the reader’s today, also 47 hours away', () => {
  // In St John's it is 03:00.
  assert.equal(ago(NOW - 47 * HOUR, NOW, english), '2 days ago');
  assert.equal(ago(NOW - 27 * HOUR, NOW, english), 'yesterday');
  assert.equal(ago(NOW - 27 * HOUR - MINUTE, NOW, english), '2 days ago');
  assert.equal(ago(NOW - 23 * HOUR, NOW, english), '23 hours ago');
  assert.equal(ago(NOW + 44 * HOUR, NOW, english), 'tomorrow');
  assert.equal(ago(NOW + 45 * HOUR, NOW, english), 'in 2 days');
  // In Auckland the same moments are on other days, and daylight saving time begins on 27 September.
  const inAuckland = { language: 'zh', timeZone: 'Pacific/Auckland' } as const;
  assert.equal(ago(NOW - 27 * HOUR, NOW, inAuckland), '昨天');
  assert.equal(ago(NOW - 47 * HOUR, NOW, inAuckland), '前天');
  assert.equal(ago(Date.UTC(2026, 8, 26, 11, 30), Date.UTC(2026, 8, 28, 10, 30), inAuckland), '前天');
});

test('last year is the year before this one', () => {
  const moment = Date.UTC(2024, 11, 31, 12);
  assert.equal(ago(moment, Date.UTC(2026, 10, 22), english), '2 years ago');
  assert.equal(ago(moment, Date.UTC(2026, 10, 22), chinese), '2年前');
  assert.equal(ago(moment, Date.UTC(2025, 11, 31, 12), english), 'last year');
});

test('the words have the exact moment, for programs and as a tooltip', () => {
  const element = agoElement(NOW - 47 * HOUR - 500, NOW, english).toString();

  assert.equal(
    element,
    '<time datetime="2026-11-19T07:29:59Z" title="19 November 2026 at 03:59 (UTC-3:30)">2 days ago</time>',
  );
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
