// `node packages/build.ts client` compiles a package into its folder dist/, so that it runs without Portico's runtime.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Build a package of this folder into its own folder, or into this one. Throws what the compiler says. */
export function build(name: string, folder = join(import.meta.dirname, name)): void {
  const project = join(import.meta.dirname, name);
  const output = join(folder, 'dist');
  rmSync(output, { recursive: true, force: true });
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--project', project, '--outDir', output];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} can't be built:\n${stdout}`);
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

/**
 * Install a package of this folder and these others for the programs in a folder, as npm would. The others come from
 * this repository's own node_modules.
 */
export function install(folder: string, name: string, others: readonly string[] = []): void {
  const manifestPath = join(import.meta.dirname, name, 'package.json');
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, manifest.name);
  mkdirSync(installed, { recursive: true });
  build(name, installed);
  copyFileSync(manifestPath, join(installed, 'package.json'));
  for (const other of [...Object.keys(manifest.dependencies ?? {}), ...others]) {
    mkdirSync(dirname(join(modules, other)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', other), join(modules, other));
  }
}

if (import.meta.main) for (const name of process.argv.slice(2)) build(name);
