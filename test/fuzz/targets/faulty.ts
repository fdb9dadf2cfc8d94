// Parsers with faults, which the fuzzer must find.

import type { Target } from '../target.ts';

const kept: string[] = [];

const common = {
  share: 1,
  seeds: ['some words'],
  pieces: ['<', '!'],
  maxLength: 20_000,
  msPerThousand: 20,
} as const;

export const FAULTY: readonly Target[] = [
  {
    ...common,
    name: 'faulty-throwing',
    check(input) {
      if (input.includes('<!')) throw new Error('It broke.');
    },
  },
  {
    ...common,
    name: 'faulty-rejecting',
    async check(input) {
      if (input.includes('<!')) throw new Error('It broke later.');
    },
  },
  {
    ...common,
    name: 'faulty-quadratic',
    check(input) {
      let steps = 0;
      for (const _ of input) for (const _ of input) steps += 1;
      if (steps < 0) throw new Error('Never.');
    },
  },
  {
    ...common,
    name: 'faulty-pattern',
    check(input) {
      // U+3000 is white space too.
      input.trim().replace(/(?<=[\u3000中])\s*\n\s*(?=[\u3000中])/gu, '');
    },
  },
  {
    ...common,
    name: 'faulty-allocating',
    check(input) {
      if (!input.includes('!!!!!')) return;
      const all: number[][] = [];
      for (;;) all.push(new Array(100_000).fill(all.length));
    },
  },
  {
    ...common,
    name: 'faulty-keeping',
    check(input) {
      kept.push(`${input}${'x'.repeat(100_000)}`.normalize('NFD').split('').join('\n'));
    },
  },
  {
    ...common,
    name: 'faulty-endless',
    check(input) {
      while (input.includes('!!!!!'));
    },
  },
];
