// The signs that an application imitates another one or the community, in words.

import type { Identity } from '../../identity/identity.ts';
import { looksOfficial } from '../../identity/reserved-names.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Client } from '../../oauth/client-store.ts';
import { type Imitation, imitationsBy } from '../../oauth/imitation.ts';
import { bilingual, type Language } from './language.ts';
import type { PageContext } from './visitor.ts';

/** Say what makes an application with these callback addresses suspicious, a sentence each. */
export async function imitationTexts(
  { identity, oauth }: { identity: Identity; oauth: AuthorizationServer },
  c: PageContext,
  client: Client,
  redirectUris: readonly string[],
): Promise<string[]> {
  const { reservedNames } = await identity.guestRules();
  const isOfficialName = (name: string) => looksOfficial(name, reservedNames);
  const imitations = await imitationsBy(oauth, client, redirectUris, isOfficialName);
  const { language } = c.get('visitor');
  return imitations.map((imitation) => textOf(imitation, c.get('site').name, language));
}

function textOf(imitation: Imitation, site: string, language: Language): string {
  const t = words[language];
  switch (imitation.kind) {
    case 'official_name':
      return t.officialName(site);
    case 'mixed_name':
      return t.mixedName;
    case 'mixed_host':
      return t.mixedHost;
    case 'name':
      return t.name(imitation.of);
    case 'host':
      return t.host(imitation.of);
  }
}

const words = bilingual(
  {
    officialName: (site: string) =>
      `Its name looks official, but it doesn’t belong to ${site} or its operators.`,
    name: (of: string) => `Its name looks like ${of}, an application that more members use.`,
    host: (of: string) => `Its address looks like ${of}, but it’s a different one. Compare each letter.`,
    mixedName: 'Its name mixes letters of different alphabets that look alike.',
    mixedHost: 'Its address mixes letters of different alphabets that look alike.',
  },
  {
    officialName: (site) => `它的名称看似官方，但它不属于 ${site} 或其管理员。`,
    name: (of) => `它的名称与“${of}”相似，后者有更多成员使用。`,
    host: (of) => `它的地址与 ${of} 相似，但并不相同，请逐个字母核对。`,
    mixedName: '它的名称混用了不同文字中外形相似的字母。',
    mixedHost: '它的地址混用了不同文字中外形相似的字母。',
  },
);
