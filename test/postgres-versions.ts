// `npm run postgres-versions`: the tests that use PostgreSQL most, on each version that Portico supports.
// `npm run postgres-versions -- 15 16` runs them on these.

import { spawnSync } from 'node:child_process';
import { POSTGRES_VERSIONS } from './support/embedded-postgres.ts';

const FILES = ['test/storage', 'test/http/oauth'];

const versions = process.argv.length > 2 ? process.argv.slice(2) : POSTGRES_VERSIONS;
const failed = versions.filter((version) => {
  process.stdout.write(`\nPostgreSQL ${version}\n`);
  const environment = { ...process.env, POSTGRES_VERSION: version };
  return (
    spawnSync(process.execPath, ['test/run.ts', ...FILES], { env: environment, stdio: 'inherit' }).status !==
    0
  );
});
process.stdout.write(
  failed.length === 0 ? `\nAll passed on ${versions.join(', ')}.\n` : `\nFailed on ${failed.join(', ')}.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
