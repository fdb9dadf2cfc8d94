// Many, slow and hostile pictures for texts, sent to the running server: it stays small, it answers others, and texts
// are kept.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { type Program, startProgram, untilTrue } from '../../support/program.ts';
import { drawPicture } from './picture-form.ts';
import { textIn } from './text-picture-form.ts';
import { sessionsOf, watch } from './watched-program.ts';

const MEMBERS = 100;
const AT_ONCE = 500;
// The server keeps 48 MB of files, two network buffers of 64 kB for each connection, and what these leave behind until
// memory is collected. Without its limit on files it would keep those of all members, 420 MB. A picture is drawn in a
// process with a limit of its own.
const FILE_BYTES = 4 * 1024 * 1024;
const MOST_SERVER_MEGABYTES = 280;
const KEPT = 'Kept, whatever happens.';

const isLinux = process.platform === 'linux';

describe('Pictures for texts', { skip: !isLinux && 'needs /proc' }, () => {
  let program: Program;
  let folder: string;
  let members: Uploader[];
  const close = new AsyncDisposableStack();

  before(async () => {
    folder = await temporaryFolder({ after: (work) => close.defer(async () => work()) });
    const settings = {
      DATABASE_URL: `file:${join(folder, 'portico.db')}`,
      FILES_URL: `file:${join(folder, 'pictures')}`,
      TRUST_PROXY: '127.0.0.1',
    };
    const sessions = await sessionsOf(MEMBERS, settings);
    program = await startProgram(settings);
    close.defer(program.stop);
    members = sessions.map((session, index) => new Uploader(program.url, session, `192.0.2.${index}`));
    await Promise.all(members.map((member) => member.open()));
    await members[0]?.add(await drawPicture());
  });
  after(() => close.disposeAsync());

  test('that are files of two kinds, or moving, become plain pictures', async () => {
    const gif = await sharp(Buffer.alloc(40 * 80 * 3, 7), {
      raw: { width: 40, height: 80, channels: 3, pageHeight: 40 },
    })
      .gif()
      .toBuffer();
    const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const comment = Buffer.from('\xFF\xFE\x00\x10%PDF-1.7\nalert', 'latin1');
    const files = [
      Buffer.concat([gif, Buffer.from('*/=1;alert(document.domain)//')]),
      Buffer.concat([
        jpeg.subarray(0, 2),
        comment,
        jpeg.subarray(2),
        Buffer.from('<script>alert(1)</script>%%EOF'),
      ]),
    ];
    for (const [index, file] of files.entries()) {
      const member = members[30 + index] as Uploader;
      const { text } = await member.add(file);
      const [path = ''] = /\/pictures\/[^)]+/.exec(text) ?? [];
      const answer = await member.browser.open(path);
      const image = Buffer.from(await answer.arrayBuffer());
      const { format, pages = 1 } = await sharp(image).metadata();

      assert.equal(answer.headers.get('content-type'), 'image/webp');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual([format, pages], ['webp', 1]);
      assert.doesNotMatch(image.toString('latin1'), /alert|PDF|script/);
    }
  });

  test(`${AT_ONCE} at once are drawn or refused with “try again”, in little memory, while the server answers others`, async (t) => {
    const picture = await sharp({ create: { width: 700, height: 700, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const large = Buffer.concat([picture, Buffer.alloc(FILE_BYTES - picture.length)]);
    const counts: Record<string, number> = {};
    const watched = await watch(program, async () => {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          // A member beyond the limit on requests is answered unread, and the connection is closed.
          const { status, text, page } = await (members[index % MEMBERS] as Uploader)
            // The first one of each member; the others come while it is under way.
            .add(index < MEMBERS ? large : picture)
            .catch(() => ({ status: 429, text: '', page: 'Try again' }));
          counts[status] = (counts[status] ?? 0) + 1;
          if (status === 200) return;
          assert.match(page, /try again|Try again/, `${status}`);
          if (text !== '') assert.equal(text, KEPT);
        }),
      );
    });

    t.diagnostic(JSON.stringify(counts));
    t.diagnostic(
      `${watched.megabytes} MB more, the server ${watched.serverMegabytes}; slowest answer to others ${watched.slowest} ms`,
    );
    assert.deepEqual(
      Object.keys(counts).filter((status) => !['200', '429', '503'].includes(status)),
      [],
    );
    assert.ok((counts[200] ?? 0) > 0);
    assert.ok(watched.serverMegabytes < MOST_SERVER_MEGABYTES, `${watched.serverMegabytes} MB more`);
    // This process, which sends all of them, is part of what the others wait for.
    assert.ok(watched.slowest < 20_000, `${watched.slowest} ms`);
    assert.equal((await (members[99] as Uploader).add(await drawPicture())).status, 200);
    const files = await readdir(join(folder, 'pictures'), { recursive: true });
    assert.deepEqual(
      files.filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('of forty slow members leave room for others', async () => {
    const slow = members.slice(40, 80);
    const sockets = await Promise.all(slow.map((member) => member.trickle()));

    const { status } = await (members[90] as Uploader).add(await drawPicture());

    for (const socket of sockets) socket.destroy();
    assert.equal(status, 200);
  });
});

/** A member who sends pictures from an address of their own. */
class Uploader {
  readonly browser: Browser;
  private readonly address: string;
  private token = '';

  constructor(url: string, session: string, address: string) {
    this.browser = new Browser(url);
    this.browser.setCookie('portico_session', session);
    this.address = address;
  }

  async open(): Promise<void> {
    this.token = formTokenIn(await this.browser.read('/write'));
  }

  /** Sends a picture. Rejects if the server closes the connection. */
  async add(file: Buffer): Promise<{ status: number; text: string; page: string }> {
    const field = (name: string, value: string) =>
      `--x-x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const head =
      field('form_token', this.token) +
      field('body', KEPT) +
      '--x-x\r\nContent-Disposition: form-data; name="picture"; filename="me.png"\r\n\r\n';
    const outgoing = request(`${this.browser.origin}/write/picture`, {
      method: 'POST',
      agent: false,
      headers: {
        Cookie: this.cookies,
        'X-Forwarded-For': this.address,
        'Content-Type': 'multipart/form-data; boundary=x-x',
      },
    });
    const response = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // After the answer, the server closes a connection whose file it doesn't want.
    outgoing.on('error', () => {});
    outgoing.write(head);
    // Not copied: this process sends hundreds at once.
    outgoing.write(file);
    outgoing.end('\r\n--x-x--\r\n');
    const [answer] = await response;
    const page = await readText(answer);
    return { status: answer.statusCode ?? 0, text: textIn(page), page };
  }

  private get cookies(): string {
    const names = ['portico_session', 'portico_visitor'];
    return names.map((name) => `${name}=${this.browser.cookie(name)}`).join('; ');
  }

  /** Begins an upload whose file never comes. Returns when the server has its beginning. */
  async trickle() {
    const { hostname, port, host } = new URL(this.browser.origin);
    const socket = connect(Number(port), hostname).on('error', () => {});
    let isSent = false;
    socket.write(
      `POST /write/picture HTTP/1.1\r\nHost: ${host}\r\nCookie: ${this.cookies}\r\n` +
        `X-Forwarded-For: ${this.address}\r\nContent-Type: multipart/form-data; boundary=x\r\n` +
        'Content-Length: 100000\r\n\r\n--x\r\n',
      () => {
        isSent = true;
      },
    );
    await untilTrue(() => isSent);
    return socket;
  }
}
