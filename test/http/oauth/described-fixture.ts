// A community that members of which connect applications that describe themselves.

import type { TestContext } from 'node:test';
import { byServer } from '../../../src/audit/doer.ts';
import type { PublicRequest } from '../../../src/lib/public-fetch.ts';
import { changeSettings } from '../../../src/site/site.ts';
import { type App, openApp } from '../../support/app.ts';
import type { Browser } from '../../support/browser.ts';
import { type applicationOf, type DocumentSites, openDocumentSites } from '../../support/documents.ts';
import { browserOf, person } from '../../support/people.ts';
import { authorizationRequest, pkce } from '../../support/relying-party.ts';

export interface World {
  app: App;
  sites: DocumentSites;
  alice: Browser;
}

export async function open(
  t: TestContext,
  settings: Record<string, string> = {},
  request?: PublicRequest,
): Promise<World> {
  const sites = await openDocumentSites(t, request);
  const app = await openApp(settings, undefined, sites.fetch);
  t.after(() => app.close());
  await person(app.portico, 'alice');
  return { app, sites, alice: await browserOf(app, 'alice') };
}

type Parameters = Record<string, string>;

export function pathOf(application: ReturnType<typeof applicationOf>, more: Parameters = {}): string {
  const request = { code_challenge: pkce().challenge, code_challenge_method: 'S256', ...more };
  return `/oauth/authorize?${authorizationRequest(application, request)}`;
}

export async function textOf(answer: Response): Promise<string> {
  const words = (await answer.text()).replaceAll(/<[^>]+>/g, ' ');
  return words.replaceAll(/\s+/g, ' ').replaceAll(/&quot;/g, '"');
}

export function set(app: App, documents: string, applications = 'open'): Promise<unknown> {
  return changeSettings(byServer(app.clock.read), app.portico.site, { documents, applications });
}
