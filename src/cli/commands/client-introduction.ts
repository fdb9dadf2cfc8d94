// What an application tells members about itself on the consent page: options of `client create` and `client update`.

import { Refusal } from '../../lib/refusal.ts';
import { InvalidRegistration } from '../../oauth/client.ts';
import type { Introduction, ReasonLanguage, ScopeReasons } from '../../oauth/client-store.ts';
import { SCOPES, scopeSet } from '../../oauth/scope.ts';
import { type Options, type Values, WrongUsage } from '../options.ts';

export const INTRODUCTION_OPTIONS = {
  'required-scope': {
    kind: 'list',
    value: 'SCOPE',
    summary: 'a scope that it cannot work without; members cannot untick it; none: there is no such scope',
    choices: [...SCOPES, 'none'],
    spaced: true,
  },
  reason: {
    kind: 'list',
    value: 'SCOPE=TEXT',
    summary:
      'why it asks for the scope, in its own words, shown to members; an empty text removes the reason',
  },
  'reason-zh': { kind: 'list', value: 'SCOPE=TEXT', summary: 'the same for pages in Chinese' },
  description: {
    kind: 'text',
    value: 'TEXT',
    summary: 'what it does, in one sentence, shown to members; empty: there is no description',
  },
  'home-page': {
    kind: 'text',
    value: 'URL',
    summary: 'the home page of the application, shown to members; none: there is no home page',
  },
} as const satisfies Options;

/** Read what the options say. What they leave out is undefined. */
export function introductionIn(values: Values<typeof INTRODUCTION_OPTIONS>): Partial<Introduction> {
  const { 'required-scope': required, 'home-page': homePage, description } = values;
  const reasons = [...reasonsIn(values, 'reason', 'en'), ...reasonsIn(values, 'reason-zh', 'zh')];
  return {
    ...(required.length > 0 && { requiredScopes: scopeSet(required) }),
    ...(reasons.length > 0 && { scopeReasons: joined(reasons) }),
    ...(description !== undefined && { description }),
    ...(homePage !== undefined && { homePage: homePage === 'none' ? undefined : homePage }),
  };
}

export function refuseInvalid(error: unknown): never {
  if (error instanceof InvalidRegistration) throw new Refusal('invalid_registration', error.message);
  throw error;
}

export function unknownClient(id: string): Refusal {
  return new Refusal('client_not_found', `There is no application ${id}.`);
}

interface GivenReason {
  scope: (typeof SCOPES)[number];
  language: ReasonLanguage;
  text: string;
}

function reasonsIn(
  values: Values<typeof INTRODUCTION_OPTIONS>,
  option: 'reason' | 'reason-zh',
  language: ReasonLanguage,
): GivenReason[] {
  return values[option].map((word) => {
    const [name, ...rest] = word.split('=');
    const scope = SCOPES.find((known) => known === name);
    if (scope === undefined || rest.length === 0) {
      throw new WrongUsage(`--${option} must be SCOPE=TEXT, with a scope among ${SCOPES.join(', ')}.`);
    }
    return { scope, language, text: rest.join('=').trim() };
  });
}

function joined(reasons: readonly GivenReason[]): ScopeReasons {
  const scopes = [...new Set(reasons.map(({ scope }) => scope))];
  return Object.fromEntries(
    scopes.map((scope) => [
      scope,
      Object.fromEntries(
        reasons.filter((reason) => reason.scope === scope).map(({ language, text }) => [language, text]),
      ),
    ]),
  );
}
