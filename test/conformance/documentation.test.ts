// docs/conformance.md describes these tests: its tables must be exactly those that the plans lead to.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PLANS, PLANS_NOT_APPLICABLE, PLANS_NOT_OFFERED } from './modules.ts';
import type { Module } from './plan.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/conformance.md'), 'utf8');
const modules = PLANS.flatMap((plan) => plan.modules);

test('The page counts the modules of each plan.', () => {
  const rows = PLANS.map((plan) => {
    const name = `\`${plan.name}\`${plan.inPart ? ', in part' : ''}`;
    return `| ${name} | ${counts(plan.modules).join(' | ')} |`;
  });
  const total = counts(modules).map((count) => `**${count}**`);

  assert.deepEqual(tableUnder('The plans'), [...rows, `| **all** | ${total.join(' | ')} |`]);
});

test('The page quotes the sentence that makes a module not applicable.', () => {
  const because = (module: Module) => ('notApplicable' in module ? module.notApplicable : undefined);

  assert.deepEqual(tableUnder('Not applicable'), rowsBy(because, PLANS_NOT_APPLICABLE));
});

test('The page lists the features that are not offered.', () => {
  const because = (module: Module) => ('notOffered' in module ? module.notOffered : undefined);

  assert.deepEqual(tableUnder('Not offered'), rowsBy(because, PLANS_NOT_OFFERED));
});

test('The page says how modules were adapted.', () => {
  const because = (module: Module) => ('run' in module ? module.adapted : undefined);

  assert.deepEqual(tableUnder('Adapted'), rowsBy(because));
});

test('Every module that is not applicable has a sentence of the specification with its section.', () => {
  const sentences = modules.flatMap((module) => ('notApplicable' in module ? [module.notApplicable] : []));

  for (const sentence of [...sentences, ...PLANS_NOT_APPLICABLE.map(({ because }) => because)]) {
    assert.match(sentence, /\(§\d/);
  }
});

/** Count all modules, those that run, those that are not applicable and those that are not offered. */
function counts(of: readonly Module[]): number[] {
  const has = (kind: string) => of.filter((module) => kind in module).length;
  return [of.length, has('run'), has('notApplicable'), has('notOffered')];
}

function rowsBy(
  because: (module: Module) => string | undefined,
  plans: typeof PLANS_NOT_APPLICABLE = [],
): string[] {
  const concerned = modules.filter((module) => because(module) !== undefined);
  const groups = [...Map.groupBy(concerned, because)].map(([reason, ours]) => ({
    because: reason,
    names: ours.map(({ name }) => name),
  }));
  return [...groups, ...plans].map((group) => {
    const names = [...new Set(group.names)].map((name) => `\`${name}\``);
    return `| ${group.because} | ${names.join(', ')} |`;
  });
}

/** Return the rows of the table below this heading of the page. */
function tableUnder(heading: string): string[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2);
}
