// A plan of the OpenID Foundation's suite: its modules in their order, each run, or left out with a reason.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withoutOpenssl } from '../support/certificates.ts';
import { assertAuthMethod, assertClients, assertDiscovery, assertKeys } from './assertions.ts';
import { DEFAULT_VARIANT, ModuleRun, type Variant } from './module-run.ts';
import { openSuite, type Suite } from './suite.ts';

export interface Plan {
  name: string;
  /** How many modules the Foundation's plan has. */
  size: number;
  /** Set if `size` counts only the modules that fit this service and are in no other plan here. */
  inPart?: true;
  variant?: Partial<Variant>;
  modules: readonly Module[];
}

export type Module =
  | { name: string; run: (run: ModuleRun) => Promise<void>; variant?: Partial<Variant>; adapted?: string }
  | { name: string; notApplicable: string }
  | { name: string; notOffered: string };

/** A module that runs. `adapted` says how it differs from the Foundation's. */
export function runs(
  name: string,
  run: (run: ModuleRun) => Promise<void>,
  more: { variant?: Partial<Variant>; adapted?: string } = {},
): Module {
  return { name, run, ...more };
}

/** Modules that can't run because of this sentence of the specification. */
export function notApplicable(sentence: string, ...names: string[]): Module[] {
  return names.map((name) => ({ name, notApplicable: sentence }));
}

/** Modules about a feature that the specification does not ask for, and that the service does not have. */
export function notOffered(feature: string, ...names: string[]): Module[] {
  return names.map((name) => ({ name, notOffered: feature }));
}

/** Test each module of the plan under its own name, and that none is missing. */
export function testPlan(plan: Plan): void {
  describe(plan.name, { skip: withoutOpenssl }, () => {
    let suite: Suite;
    const names = new Set<string>();

    before(async () => {
      suite = await openSuite();
    });
    after(() => suite.close());

    for (const module of plan.modules) {
      if (!('run' in module)) continue;
      test(module.name, async () => {
        const variant = { ...DEFAULT_VARIANT, ...plan.variant, ...module.variant };
        const run = await ModuleRun.begin(suite, variant);
        await assertPreconditions(run);

        await module.run(run);

        names.add(module.name);
      });
    }

    test('Each module of the plan has run, or has a reason why not.', () => {
      const open = plan.modules.filter((module) => 'run' in module && !names.has(module.name));

      assert.deepEqual(open, []);
      assert.equal(new Set(plan.modules.map(({ name }) => name)).size, plan.size);
    });
  });
}

async function assertPreconditions(run: ModuleRun): Promise<void> {
  assertDiscovery(run.discovery, run.app.url);
  await assertKeys(await run.keys());
  assertAuthMethod(run);
  assertClients(run);
}
