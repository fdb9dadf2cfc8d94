// Usernames that look official. No guest gets one, nor a name that looks like one.

import { lazily } from '../lib/remember.ts';

/** Report whether a username is one of these names or of the usual ones, or looks like one. */
export function isReservedName(username: string, names: readonly string[]): boolean {
  const looks = looksOf(username);
  return [...official(), ...names.map(looksOf)].some((name) => name !== '' && isSimilar(looks, name));
}

// Letters can be doubled, as in "admiin". They can't be left out: "rot" is not "root".
function isSimilar(looks: string, official: string): boolean {
  const runs = runsOf(looks);
  const officialRuns = runsOf(official);
  return (
    runs.length === officialRuns.length &&
    officialRuns.every((run, index) => runs[index]?.startsWith(run) === true)
  );
}

/** The runs of equal letters: "r", "oo" and "t". */
function runsOf(text: string): string[] {
  return text.match(/(.)\1*/gu) ?? [];
}

const official = lazily(() => OFFICIAL_NAMES.map(looksOf));

const OFFICIAL_NAMES = (
  'admin admins administrator administrators root superuser sysadmin moderator moderators mod mods support help ' +
  'helpdesk security system staff team operator operators official owner webmaster postmaster hostmaster abuse ' +
  'noreply mailerdaemon info contact service api www null undefined anonymous nobody everyone ' +
  '管理员 管理員 版主 官方 客服 系统 系統 站长 站長 админ администратор модератор поддержка'
).split(' ');

// Latin letters, and for each the characters that look like it: digits, and letters of other scripts. Small letters
// are listed where they look different from their capitals.
const LOOK_ALIKES = {
  a: '4ɑᴀаАαΑаꓮᎪⲀⲁ',
  b: '8ВΒвЬьꓐᏴⲂ',
  c: 'сСϲϹꓚᏟⲤⲥᴄ',
  d: 'ԁꓓᎠᏧⅾ',
  e: '3еЕΕεєꓰᎬⲈ',
  f: 'ꓝϜ',
  g: '9ɡցꓖᏀᏳ',
  h: 'нНΗһհꓧᎻⲎ',
  j: 'јЈϳյꓙᎫ',
  k: 'кКΚκꓗᏦⲔⲕ',
  // i and l are one letter here, like the digit 1.
  l: '1iɩıɪіІΙιӏӀꓲᎥᏞꓡⲒʟԼ',
  m: 'мМΜꓟᎷⲘⲙ',
  n: 'пηΝոռꓠⲚɴ',
  o: '0оОΟοσօՕꓳⲞⲟᴏ',
  p: 'рРΡρꓑᏢⲢⲣ',
  q: 'ԛզ',
  r: 'гꓣᎡᏒⲅ',
  s: '5ѕЅꓢᏕᏚꜱՏ',
  t: '7тТΤτꓔᎢⲦⲧ',
  u: 'υսՍꓴᴜцμ',
  v: 'νѵѴꓦᏙᴠ',
  w: 'ԝԜωɯꓪᎳᏔա',
  x: 'хХΧχꓫⲬⲭ',
  y: 'уУΥγүҮꓬᎩⲨ',
  z: '2ΖꓜᏃⲌ',
};

const LETTER_LIKE = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

/** What a reader sees: Latin letters without accents, dots, hyphens and case. */
function looksOf(name: string): string {
  const bare = name.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [...bare].map(letterLike).join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

function letterLike(character: string): string {
  const small = character.toLowerCase();
  return (
    LETTER_LIKE.get(character) ?? LETTER_LIKE.get(character.toUpperCase()) ?? LETTER_LIKE.get(small) ?? small
  );
}
