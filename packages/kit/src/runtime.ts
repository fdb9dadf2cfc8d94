// The Node that runs the community: the one of the test, if it is new enough, or the one that this package brings.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const OLDEST_NODE = 26;

export function runtime(): string {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath;
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { optionalDependencies } = JSON.parse(manifest) as { optionalDependencies: Record<string, string> };
  for (const name of Object.keys(optionalDependencies)) {
    const node = programOf(name);
    if (node !== undefined) return node;
  }
  throw new Error(
    `This is Node ${process.versions.node}. The kit needs Node ${OLDEST_NODE}, or one of its optional packages for ` +
      `${process.platform} ${process.arch}, which npm did not install. Install without --omit=optional.`,
  );
}

function programOf(name: string): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return ['bin/node', 'bin/node.exe'].map((path) => join(folder, path)).find(existsSync);
  } catch {
    return undefined;
  }
}
