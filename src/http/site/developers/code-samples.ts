// Programs that sign a member in and read with the token, in five languages, with an application's own values. Each
// prints the address to open, reads the address that the browser came back to, and needs no library.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../../../lib/remember.ts';
import type { Client } from '../../../oauth/client-store.ts';
import { API_SCOPES } from '../../../oauth/scope.ts';
import { PATHS } from '../../routes.ts';

const FOLDER = join(import.meta.dirname, 'samples');

const PROGRAMS = [
  { language: 'curl', file: 'sign-in.sh', run: 'sh sign-in.sh', quote: "'\\''" },
  { language: 'TypeScript', file: 'sign-in.ts', run: 'node sign-in.ts', quote: "'" },
  { language: 'Python', file: 'sign_in.py', run: 'python3 sign_in.py', quote: "'" },
  { language: 'Go', file: 'main.go', run: 'go run main.go', quote: "'" },
  { language: 'PHP', file: 'sign-in.php', run: 'php sign-in.php', quote: "\\'" },
];

export interface CodeSample {
  language: string;
  file: string;
  /** The command that runs it. */
  run: string;
  code: string;
}

/** Fill in the programs for an application. */
export function codeSamples({ id, kind, scopes, redirectUris }: Client, baseUrl: string): CodeSample[] {
  const ofApi = API_SCOPES.filter((scope) => scopes.includes(scope));
  // An application that asks only who the member is reads that from userinfo.
  const isSignInOnly = ofApi.length === 0;
  const readsProfile = scopes.includes('profile:read');
  const scope = isSignInOnly ? 'openid' : ofApi.join(' ');
  const [redirectUri = ''] = redirectUris;
  const isWanted = { secret: kind === 'confidential', nonce: isSignInOnly };
  const values: Record<string, string> = {
    base: baseUrl,
    client_id: id,
    scope,
    scope_encoded: encodeURIComponent(scope),
    redirect_uri_encoded: encodeURIComponent(redirectUri).replaceAll("'", '%27'),
    read: isSignInOnly ? '/api/oauth/userinfo' : `${PATHS.api}${readsProfile ? '/me' : '/me/posts'}`,
    nonce: isSignInOnly ? '&nonce=$(openssl rand -hex 16)' : '',
  };
  return PROGRAMS.map(({ quote, ...program }) => ({
    ...program,
    // No registered address has a double quote, a backslash or a backtick.
    code: filled(textOf(program.file), isWanted, {
      ...values,
      redirect_uri: redirectUri.replaceAll("'", quote),
    }),
  }));
}

const textOf = memoize((file: string) => readFileSync(join(FOLDER, `${file}.txt`), 'utf8'), PROGRAMS.length);

// A line that ends with {{if secret}} is only for applications with a secret.
function filled(
  text: string,
  isWanted: Record<string, boolean>,
  values: Readonly<Record<string, string>>,
): string {
  return text
    .replaceAll(/^(.*) \{\{if (\w+)\}\}\n/gm, (_, line: string, fact: string) =>
      isWanted[fact] ? `${line}\n` : '',
    )
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
