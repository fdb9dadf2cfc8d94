// Settings of the runtime that are made while it runs: a name that it does not know would only be printed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('the runtime knows every setting that is made while it runs', () => {
  const module = new URL('../../src/lib/memory.ts', import.meta.url);
  const script = `import { keepMemoryTight, releaseMemory } from '${module}'; keepMemoryTight(); releaseMemory();`;

  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });

  assert.equal(stderr, '');
  assert.equal(status, 0);
});
