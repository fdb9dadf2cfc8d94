// What operators see of an application that describes itself.

import { html } from 'hono/html';
import type { Client } from '../../../oauth/client-store.ts';
import { bilingual, type Language } from '../../pages/language.ts';
import type { Html } from '../../pages/page.ts';

/** Show where an application describes itself and how it is called there. False for one that was registered. */
export function documentFacts({ documentUrl, claimedName }: Client, language: Language): Html | false {
  const t = words[language];
  return (
    documentUrl !== undefined &&
    html`
      <dt>${t.document}</dt>
      <dd><code>${documentUrl}</code></dd>
      <dt>${t.claimedName}</dt>
      <dd>${claimedName}</dd>`
  );
}

/** Say that it has no owner. */
export function noOwner(language: Language): string {
  return words[language].nobody;
}

const words = bilingual(
  {
    document: 'Describes itself at',
    claimedName: 'Names itself',
    nobody: 'None: not registered, not checked',
  },
  { document: '自我说明地址', claimedName: '自称', nobody: '无：未注册，未经核实' },
);
