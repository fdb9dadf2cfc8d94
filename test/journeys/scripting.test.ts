// Whatever a member writes is shown as text. None of it runs, and the browser doesn't even try to run it: the pages'
// policy, which would stop it, reports no violation.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type App, openApp } from '../support/app.ts';
import { openChromium, withoutChromium } from '../support/chromium.ts';
import { type PageVisit, seedEveryPage, type Texts } from '../support/tour.ts';
import { visitorsOf } from '../support/visitors.ts';

const skip = withoutChromium;

// Each of these would call `hit()` if it ran.
const HTML = [
  '<script>hit()</script>',
  '"><script>hit()</script>',
  "'><img src=x onerror=hit()>",
  '</title><script>hit()</script>',
  '</textarea><svg onload=hit()>',
  '</style><script>hit()</script>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<details open ontoggle=hit()>',
  '<input autofocus onfocus=hit()>',
  '<iframe srcdoc="<script>parent.hit()</script>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<form action="javascript:hit()"><button>Press</button></form>',
  '<base href="javascript:hit()//">',
  '<meta http-equiv="refresh" content="0;url=javascript:hit()">',
  '<link rel="stylesheet" href="//evil.example/x.css">',
  '<object data="javascript:hit()">',
  '<scr<script>ipt>hit()</scr</script>ipt>',
  '{{hit()}} <%= hit() %> #{hit()}',
  '" autofocus onfocus="hit()',
  "' onmouseover='hit()",
  '<!--><script>hit()</script>-->',
  '\u003cscript\u003ehit()\u003c/script\u003e',
  '＜script＞hit()＜/script＞',
];

const MARKDOWN = [
  '[a](javascript:hit())',
  '[a](JaVaScRiPt:hit())',
  '[a](java\tscript:hit())',
  '[a](&#106;avascript:hit())',
  '[a](data:text/html,<script>hit()</script>)',
  '[a](vbscript:hit())',
  '<javascript:hit()>',
  '![a](x" onerror="hit())',
  '![a](javascript:hit())',
  '[a]: javascript:hit()\n\n[a]',
  '[a](https://x.example" onclick="hit())',
  '```"><script>hit()</script>\nx\n```',
  '<a href="javascript:hit()">a</a>',
  '<a href="https://x.example" onclick="hit()" style="position:fixed;inset:0">a</a>',
  '<div style="background:url(javascript:hit())">a</div>',
  '&lt;script&gt;hit()&lt;/script&gt;',
  '| <img src=x onerror=hit()> |\n|---|\n| <svg onload=hit()> |',
];

let app: App;
let chromium: Browser;
let visits: PageVisit[];

before(async () => {
  if (skip) return;
  app = await openApp();
  chromium = await openChromium();
  visits = await seedEveryPage(app.portico, texts());
});
after(async () => {
  await chromium?.close();
  await app?.close();
});

// Short fields get as many as fit; posts and comments get all of them.
function texts(): Texts {
  const all = [...HTML, ...MARKDOWN].join('\n\n');
  const upTo = (most: number, from: number) => {
    let text = '';
    for (const payload of [...HTML.slice(from), ...HTML])
      if (!payload.includes('\n') && text.length + payload.length < most) text += payload;
    return text;
  };
  return {
    bio: upTo(160, 0),
    title: upTo(120, 2),
    body: all,
    comment: all,
    note: upTo(100, 4),
    category: HTML[2] ?? '',
    application: upTo(60, 1),
    token: upTo(60, 3),
    query: upTo(190, 5),
  };
}

describe('A script in any field', { skip }, () => {
  test('never runs on any page, and the policy never has to stop it', async () => {
    const visitors = visitorsOf(app, chromium, {});
    const faults: string[] = [];
    let place = '';
    const tell = (what: string) => faults.push(`${place}: ${what}`);
    const watched = new Set<Page>();
    for (const { who, path } of visits) {
      const page = await visitors.pageFor(who);
      if (!watched.has(page)) await watch(page, tell);
      watched.add(page);
      place = `${who} ${path}`;
      await page.goto(app.url + path);
      const suspects: string[] = await page.evaluate(SUSPECTS);
      if (suspects.length > 0) tell(suspects.join(' '));
    }
    await visitors.close();

    assert.deepEqual(faults, []);
  });

  test('appears unchanged in a form', async () => {
    const visitors = visitorsOf(app, chromium, {});
    const page = await visitors.pageFor('alice');
    await page.goto(`${app.url}/write`);
    const [payload = ''] = HTML;
    await page.locator('#title').fill(payload);
    await page.locator('#body').fill([...HTML, ...MARKDOWN].join('\n\n'));
    await page.locator('#preview article').waitFor();

    assert.equal(await page.locator('#title').inputValue(), payload);
    assert.deepEqual(await page.evaluate(SUSPECTS), []);
    await visitors.close();
  });
});

async function watch(page: Page, tell: (what: string) => void): Promise<void> {
  await page.exposeFunction('hit', () => tell('it ran'));
  page.on('dialog', (dialog) => dialog.dismiss().then(() => tell('a dialog')));
  page.on('console', (message) => {
    // A status other than 200 is reported as an error too.
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) tell(message.text());
  });
  page.on('request', (request) => request.url().startsWith(app.url) || tell(request.url()));
}

// Runs in the page. Finds attributes and elements that none of the site's pages has.
const SUSPECTS = `[...document.querySelectorAll('*')].flatMap((element) => [
  // Data about the page is a script that browsers don't run.
  ...(['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'BASE', 'STYLE'].includes(element.tagName) &&
      element.type !== 'application/ld+json' &&
      !(element.tagName === 'SCRIPT' && element.text === '' &&
        /^\\/[\\w.-]+\\.js$/.test(element.getAttribute('src') ?? ''))
    ? [element.outerHTML] : []),
  ...[...element.attributes]
    .filter(({ name, value }) => name.startsWith('on') || name === 'style' || name === 'srcdoc' ||
      (['href', 'src', 'action', 'formaction'].includes(name) && /^\\s*(javascript|data|vbscript):/i.test(value)))
    .map(({ name, value }) => name + '=' + value),
])`;
