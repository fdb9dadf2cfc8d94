// A server with the pictures of an old site, on loopback, and the command that downloads from it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Cli } from '../cli/run-cli.ts';

/** A picture of this size, in a colour of its own. */
export function pictureOf(width: number, height: number, colour = '#d01010') {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const PNG_BEGINNING = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');

const photograph = await pictureOf(2400, 1200)
  .withExif({ IFD0: { Make: 'Camera of mallory' } })
  .jpeg()
  .toBuffer();
const files: Record<string, Buffer> = {
  '/good.jpg': photograph,
  '/good.png': await pictureOf(300, 200, '#1010d0').png().toBuffer(),
  '/uploads/short-url/aB3.png': await pictureOf(300, 200, '#10d010').png().toBuffer(),
  '/with(parens).gif': await pictureOf(20, 10).gif().toBuffer(),
  '/bomb.png': await pictureOf(8000, 8000).png().toBuffer(),
  '/drawing.svg': Buffer.from(SVG),
  '/polyglot.png': Buffer.concat([PNG_BEGINNING, Buffer.from(SVG)]),
  '/page.png': Buffer.from('<!doctype html><title>Sign in</title>'),
};

const answer: RequestListener = ({ url = '' }, response) => {
  const file = files[url];
  if (file !== undefined) return response.end(file);
  if (url.startsWith('/numbered/')) {
    const number = Number(/\d+/.exec(url)?.[0]);
    // Far enough apart that no two become the same picture.
    const colour = { r: (number * 37) % 256, g: (number * 91) % 256, b: (number * 10) % 256 };
    return sharp({ create: { width: 30, height: 20, channels: 3, background: colour } })
      .png()
      .toBuffer()
      .then((picture) => response.end(picture));
  }
  switch (url) {
    case '/inside.png':
      return response.writeHead(302, { Location: 'http://10.0.0.1/a.png' }).end();
    case '/moved.png':
      return response.writeHead(301, { Location: '/good.png' }).end();
    case '/gzip.png':
      return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    case '/endless.png': {
      const more = () => response.write(Buffer.alloc(65_536)) && setImmediate(more);
      response.on('drain', more);
      return more();
    }
    default:
      return response.writeHead(404).end('Not here.');
  }
};

export interface PictureServer {
  /** The address of its files, by a name. */
  url: string;
  /** The paths that were asked for. */
  asked: string[];
}

export async function openPictureServer(t: TestContext): Promise<PictureServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://old.example:${(server.address() as AddressInfo).port}`, asked };
}

const PROGRAM = join(import.meta.dirname, 'import-program.ts');

/** Start the command line, for which names that end with `.example` lead to this machine. */
export function startImport({ folder, settings }: Cli, words: readonly string[]) {
  return spawn(process.execPath, [PROGRAM, 'import', ...words], { env: settings, cwd: folder });
}

export async function runImport(cli: Cli, words: readonly string[]) {
  const child = startImport(cli, words);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}
