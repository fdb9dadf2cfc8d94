// Joins the sources, and the packages that every start needs, into few files: to find, read and link a thousand
// modules takes longer than all the rest of a start. Run once after installation.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = join(import.meta.dirname, '..');

rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: FOLDER,
  entryPoints: ['src/main.ts', 'src/cli/main.ts'],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  // What is imported late stays in files of its own.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: `node${process.versions.node}`,
  // Packages that are loaded by those who use them, or hold more than JavaScript.
  external: ['ioredis', 'markdown-it', 'nodemailer', 'pg', 'sanitize-html', 'saxes', 'sharp', 'turndown'],
  // Joined packages may ask for the runtime's modules in the older way.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  // The runtime keeps the text of what it runs. Names stay and lines are short, so that a trace can be read.
  minifyWhitespace: true,
  lineLimit: 120,
  logLevel: 'warning',
});
