// The links to a member's own pages elsewhere, which everyone can see.

import { domainToUnicode } from 'node:url';
import type { MemberDoer } from '../audit/doer.ts';
import { attempted, hourlyLimit, type TooFast } from '../lib/attempt.ts';
import { cutOff, hasHiddenCharacters } from '../lib/one-line.ts';
import type { Identity } from './identity.ts';

export const MOST_LINKS = 4;
const LONGEST = 200;
const MOST_CHANGES_AN_HOUR = 20;

/** Why links are not saved. The numbers are those of the texts that are no links. */
export type LinksProblem = { wrong: number[] } | TooFast;

/** Replace a member's links by these texts, of which some may be empty, or say why not. */
export async function setLinks(
  by: MemberDoer,
  identity: Identity,
  texts: readonly string[],
): Promise<LinksProblem | undefined> {
  const typed = texts.slice(0, MOST_LINKS).map((text) => text.trim());
  const wrong = [...typed.keys()].filter((n) => typed[n] !== '' && readLink(typed[n] ?? '') === undefined);
  if (wrong.length > 0) return { wrong };
  const tooFast = await attempted(identity, hourlyLimit(by.at, MOST_CHANGES_AN_HOUR, 'links', by.userId));
  if (tooFast !== undefined) return tooFast;
  const links = new Set(typed.map(readLink).filter((link) => link !== undefined));
  const masked = await identity.maskCredentials([...links].join('\n'), 'bio');
  // An address that had a credential may be none without it.
  await identity.writes.setLinks(
    by,
    masked === '' ? [] : masked.split('\n').flatMap((line) => readLink(line) ?? []),
  );
  return undefined;
}

/** Read an https address of a public host. The scheme may be left out. Undefined for anything else. */
export function readLink(text: string): string | undefined {
  if (text.length > LONGEST || hasHiddenCharacters(text) || /[\s\\]/.test(text)) return undefined;
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  // Names alone: an address in numbers ends in one.
  if (!/\.[a-z][a-z\d-]*$/.test(url.hostname)) return undefined;
  return url.href.length > LONGEST ? undefined : url.href;
}

/** How a link is shown. */
export interface LinkText {
  /** The host as programs write it, with the path. */
  text: string;
  /** The host in its own letters, which can look like those of a well-known one. Undefined if it has the same. */
  inLetters: string | undefined;
}

/** Write a link as people read it. */
export function textOfLink(link: string): LinkText {
  const { host, hostname, pathname, search } = new URL(link);
  const rest = `${pathname}${search}`;
  const readable = domainToUnicode(hostname);
  return {
    text: cutOff(rest === '/' ? host : host + rest, 60),
    inLetters: readable === hostname || readable === '' ? undefined : readable,
  };
}
