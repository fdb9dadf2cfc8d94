// `node packages/build.ts client` compiles a package into its folder dist/, so that it runs without Portico's runtime.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Build a package of this folder into its own folder, or into this one. Throws what the compiler says. */
export function build(name: string, folder = join(import.meta.dirname, name)): void {
  const project = join(import.meta.dirname, name);
  const output = join(folder, 'dist');
  rmSync(output, { recursive: true, force: true });
  compile(project, output);
  if (existsSync(join(project, 'server'))) buildServer(project, join(output, 'server'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Compile a server that contains Portico, and copy the files that Portico reads while it runs. */
function buildServer(project: string, output: string): void {
  compile(join(project, 'server'), output);
  const read = [
    'src/**/*.{css,js,txt,woff2}',
    'docs/{developers,zh}/**/*.md',
    'docs/members.md',
    'examples/*/*',
    'package.json',
  ];
  for (const path of globSync(read, { cwd: ROOT })) {
    cpSync(join(ROOT, path), join(output, path));
  }
  // The compiler leaves the names of files that are no imports as they are.
  for (const path of globSync('src/**/*.js', { cwd: output })) {
    const text = readFileSync(join(output, path), 'utf8');
    const renamed = text.replaceAll(
      /new URL\('([^']+)\.ts', import\.meta\.url\)/g,
      "new URL('$1.js', import.meta.url)",
    );
    if (renamed !== text) writeFileSync(join(output, path), renamed);
  }
}

function compile(project: string, output: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--project', project, '--outDir', output];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${project} can't be built:\n${stdout}`);
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
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  for (const other of [...needed, ...others]) {
    mkdirSync(dirname(join(modules, other)), { recursive: true });
    const source = join(ROOT, 'node_modules', other);
    // Optional packages are there for one platform only.
    if (existsSync(source) && !existsSync(join(modules, other))) symlinkSync(source, join(modules, other));
  }
}

if (import.meta.main) for (const name of process.argv.slice(2)) build(name);
