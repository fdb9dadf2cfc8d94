// The id_token of a trial: what is in it, and each check that an application has to make.

import { html } from 'hono/html';
import type { CheckedIdToken, IdTokenCheck } from '../../../oauth/id-token-check.ts';
import type { Html } from '../../pages/page.ts';
import type { PageContext } from '../../pages/visitor.ts';
import { table } from '../table.ts';
import { checkWords } from './trial-step-words.ts';
import { trialWords } from './trial-words.ts';

/** Show an id_token that was checked. */
export function idTokenCard(c: PageContext, { header, claims, checks }: CheckedIdToken): Html {
  const t = trialWords[c.get('visitor').language];
  const passed = checks.filter(({ isPassed }) => isPassed).length;
  return html`
    <h3 id="id-token">${t.idToken}</h3>
    <p>${t.idTokenMeans} <a href="/docs/openid">OpenID Connect</a></p>
    <pre tabindex="0" aria-label="${t.idToken}">${textOf(header)}\n.\n${textOf(claims)}\n.\n${t.signature}</pre>
    <p role="status">${t.passed(passed, checks.length)}</p>
    ${table(
      [t.check, t.came, t.wanted, t.result],
      checks.map((check) => checkRow(c, check)),
    )}`;
}

function checkRow(c: PageContext, { name, came, expected, isPassed }: IdTokenCheck): Html {
  const { language } = c.get('visitor');
  const t = trialWords[language];
  const means = checkWords[language][name];
  const result = isPassed ? t.ok : t.notOk;
  return html`
    <tr>
      <td data-label="${t.check}"><code>${name}</code><br><span class="soft small">${means}</span></td>
      <td data-label="${t.came}"><code class="long">${came}</code></td>
      <td data-label="${t.wanted}"><code class="long">${expected}</code></td>
      <td data-label="${t.result}"><span class="badge${!isPassed && ' warning'}">${result}</span></td>
    </tr>`;
}

function textOf(part: object): string {
  return JSON.stringify(part, null, 2);
}
