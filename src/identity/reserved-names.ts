// Usernames that look official. No guest gets one, nor a name that looks like one.

import { isSimilar, looksOf } from '../lib/look-alikes.ts';
import { lazily, memoizeByRecord } from '../lib/remember.ts';

/** Report whether a username is one of these names or of the usual ones, or looks like one. */
export function isReservedName(username: string, names: readonly string[]): boolean {
  const looks = looksOf(username);
  const looksOfNames = looksByNames(names, () => names.map(looksOf));
  return [...official(), ...looksOfNames].some((name) => name !== '' && isSimilar(looks, name));
}

// A list of operators can have a thousand names, which take 8 ms.
const looksByNames = memoizeByRecord<readonly string[], string[]>();

/**
 * Report whether the name of an application looks official: each word is such a name, or all that remains without
 * these words looks like one of the names.
 */
export function looksOfficial(name: string, names: readonly string[]): boolean {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const rest = words.filter((word) => !isReservedName(word, []));
  return words.length > 0 && (rest.length === 0 || isReservedName(rest.join(''), names));
}

const official = lazily(() => OFFICIAL_NAMES.map(looksOf));

const OFFICIAL_NAMES = (
  'admin admins administrator administrators root superuser sysadmin moderator moderators mod mods support help ' +
  'helpdesk security system staff team operator operators official owner webmaster postmaster hostmaster abuse ' +
  'noreply mailerdaemon info contact service api www null undefined anonymous nobody everyone ' +
  '管理员 管理員 版主 官方 客服 系统 系統 站长 站長 админ администратор модератор поддержка'
).split(' ');
