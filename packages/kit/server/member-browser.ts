// A member in front of an authorization address: signs in, and answers the consent page.

import { formWith, PageVisitor, redirection } from '../../../src/cli/page-visitor.ts';
import type { Choice } from '../src/acts.ts';

/** Returns the address of the callback, or throws what the page says. */
export async function answerAuthorization(
  baseUrl: string,
  authorizationUrl: string,
  password: string,
  { as = 'alice', allow = true, scopes, duration }: Choice,
): Promise<string> {
  const visitor = new PageVisitor(baseUrl);
  let answer = await visitor.open(authorizationUrl);
  for (let steps = 0; steps < 9; steps += 1) {
    const target = redirection(answer);
    if (target !== undefined && new URL(target, baseUrl).origin !== baseUrl) return target;
    if (target !== undefined) {
      answer = await visitor.open(target);
      continue;
    }
    const page = await answer.text();
    const form = formWith('decision', page) ?? formWith('password', page);
    if (form === undefined) throw new Error(`No callback: the page says "${textOf(page)}"`);
    if (formWith('username', page) !== undefined) form.fields.set('username', as);
    if (formWith('password', page) !== undefined) form.fields.set('password', password);
    if (formWith('decision', page) !== undefined) {
      form.fields.set('decision', allow ? 'allow' : 'deny');
      if (duration !== undefined) form.fields.set('duration', duration);
      if (scopes !== undefined) form.fields.delete('scope');
      for (const scope of scopes ?? []) form.fields.append('scope', scope);
    }
    answer = await visitor.open(form.action, form.fields);
  }
  throw new Error(`The sign-in as ${as} came to no end. Is there such a member?`);
}

function textOf(page: string): string {
  const [, main = page] = /<main\b[^>]*>([\s\S]*?)<\/main>/.exec(page) ?? [];
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
