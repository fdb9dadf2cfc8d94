// Small files that are expensive to decode, sent to the running server: it stays small, and it answers others.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Bomb, bombs } from '../../lib/picture-bombs.ts';
import { Browser, formTokenIn } from '../../support/browser.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { PICTURE, PROFILE } from './picture-form.ts';
import { textIn } from './text-picture-form.ts';
import { sessionsOf, watch } from './watched-program.ts';

const MOST_MORE_MEGABYTES = 250;
const AT_ONCE = 10;
// A member may send ten files an hour. One of them is sent before.
const OF_EACH = 9;

const isLinux = process.platform === 'linux';

describe('Pictures that are expensive to decode', { skip: !isLinux && 'needs /proc' }, () => {
  let program: Program;
  let members: Uploader[];
  let all: Bomb[];
  const close = new AsyncDisposableStack();

  before(async () => {
    all = await bombs();
    const folder = await temporaryFolder({ after: (work) => close.defer(async () => work()) });
    const settings = { DATABASE_URL: `file:${join(folder, 'portico.db')}`, TRUST_PROXY: '127.0.0.1' };
    const sessions = await sessionsOf(AT_ONCE + Math.ceil(all.length / OF_EACH), settings);
    program = await startProgram(settings);
    close.defer(program.stop);
    members = sessions.map((session, index) => new Uploader(program.url, session, `192.0.2.${index}`));
    // What the first page and the first picture load stays.
    for (const member of members) await member.upload(all.at(-1)?.file ?? Buffer.alloc(0));
  });
  after(() => close.disposeAsync());

  test('each is drawn or refused, with 250 MB at most, while the server answers others', async (t) => {
    const watched = await watch(program, async () => {
      for (const [index, { name, file, outcome }] of all.entries()) {
        const member = members[AT_ONCE + Math.floor(index / OF_EACH)] as Uploader;
        const answer = await member.upload(file);
        const expected = outcome === undefined ? [303, 400] : [outcome === 'drawn' ? 303 : 400];
        assert.ok(expected.includes(answer.status), `${name}: ${answer.status}`);
      }
    });

    t.diagnostic(`${watched.megabytes} MB more; slowest answer to others ${watched.slowest} ms`);
    assert.ok(watched.megabytes < MOST_MORE_MEGABYTES, `${watched.megabytes} MB more`);
    assert.ok(watched.slowest < 3000, `${watched.slowest} ms`);
  });

  test('the same for pictures in texts, and the text is kept', async (t) => {
    const watched = await watch(program, async () => {
      for (const [index, { name, file, outcome }] of all.entries()) {
        const answer = await (members[index % AT_ONCE] as Uploader).addToText(file);
        const expected = outcome === undefined ? [200, 400] : [outcome === 'drawn' ? 200 : 400];
        assert.ok(expected.includes(answer.status), `${name}: ${answer.status}`);
        assert.ok(textIn(await answer.text()).startsWith('Kept.'), name);
      }
    });

    t.diagnostic(`${watched.megabytes} MB more; slowest answer to others ${watched.slowest} ms`);
    assert.ok(watched.megabytes < MOST_MORE_MEGABYTES, `${watched.megabytes} MB more`);
    assert.ok(watched.slowest < 3000, `${watched.slowest} ms`);
  });

  test('ten at once, the largest that are drawn, take no more', async (t) => {
    const largest = all
      .filter(({ outcome }) => outcome === 'drawn')
      .sort((a, b) => b.file.length - a.file.length);
    let answers: Response[] = [];

    const watched = await watch(program, async () => {
      const files = Array.from(
        { length: AT_ONCE },
        (_, index) => largest[index % 5]?.file ?? Buffer.alloc(0),
      );
      answers = await Promise.all(files.map((file, index) => (members[index] as Uploader).upload(file)));
    });

    t.diagnostic(`${watched.megabytes} MB more; slowest answer to others ${watched.slowest} ms`);
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(AT_ONCE).fill(303),
    );
    assert.ok(watched.megabytes < MOST_MORE_MEGABYTES, `${watched.megabytes} MB more`);
    assert.ok(watched.slowest < 3000, `${watched.slowest} ms`);
  });

  test('ten of two AVIFs of 40 MP at once take no more', async (t) => {
    const file = all[0]?.file ?? Buffer.alloc(0);
    let answers: Response[] = [];

    const watched = await watch(program, async () => {
      answers = await Promise.all(members.slice(0, AT_ONCE).map((member) => member.upload(file)));
    });

    t.diagnostic(`${watched.megabytes} MB more; slowest answer to others ${watched.slowest} ms`);
    for (const answer of answers) {
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /at most 4 million pixels/);
    }
    assert.ok(watched.megabytes < MOST_MORE_MEGABYTES, `${watched.megabytes} MB more`);
  });
});

/** A member who sends files from an address of their own. */
class Uploader {
  private readonly browser: Browser;
  private readonly from: { 'X-Forwarded-For': string };
  private token: string | undefined;

  constructor(url: string, session: string, address: string) {
    this.browser = new Browser(url);
    this.browser.setCookie('portico_session', session);
    this.from = { 'X-Forwarded-For': address };
  }

  upload(file: Buffer): Promise<Response> {
    return this.send(PICTURE, file);
  }

  addToText(file: Buffer): Promise<Response> {
    return this.send('/write/picture', file, 'Kept.');
  }

  private async send(path: string, file: Buffer, body = ''): Promise<Response> {
    this.token ??= formTokenIn(await this.browser.read(PROFILE));
    const form = new FormData();
    form.append('form_token', this.token);
    form.append('body', body);
    form.append('picture', new Blob([new Uint8Array(file)]), 'me.png');
    return this.browser.open(path, { method: 'POST', body: form, headers: this.from });
  }
}
