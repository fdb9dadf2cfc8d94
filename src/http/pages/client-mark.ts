// What marks an application beside its name: its logo, or the first letter of the name.

import { html } from 'hono/html';
import { shownLogo } from '../../oauth/client-logo.ts';
import type { Client } from '../../oauth/client-store.ts';
import type { Html } from './page.ts';

/** Return the path of a logo. It depends on the picture alone, and names neither the application nor its owner. */
export function clientLogoPath(digest: string): string {
  return `/logos/${digest}.png`;
}

/** Mark an application as members see it. The owner and operators also see a logo that waits for approval. */
export function clientMark(
  client: Pick<Client, 'name' | 'logo' | 'isLogoApproved'>,
  logo: string | undefined = shownLogo(client),
): Html {
  // The name always stands beside it.
  if (logo !== undefined) {
    return html`<img class="client-mark" width="48" height="48" alt="" src="${clientLogoPath(logo)}">`;
  }
  const [letter = ''] = client.name.trim();
  return html`<span class="client-mark" aria-hidden="true">${letter.toUpperCase()}</span>`;
}
