// The rooms for parsers that need a database: opened once in each thread that fuzzes, in memory.

import { byServer } from '../../src/audit/doer.ts';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import { registerClient } from '../../src/oauth/client.ts';
import type { Client } from '../../src/oauth/client-store.ts';
import { person, publish } from '../support/people.ts';
import { prepareWithTestKeys } from '../support/signing-keys.ts';

export const CALLBACK = 'https://notebook.example.com/callback';
export const SIGNED_OUT = 'https://notebook.example.com/bye?a=b';
const NOON = Date.UTC(2027, 0, 1, 12);

export interface Stage {
  portico: Portico;
  client: Client;
}

let opening: Promise<Stage> | undefined;

/** The rooms, with two members, two posts and an application. Their clock stands still. */
export function stage(): Promise<Stage> {
  opening ??= open();
  return opening;
}

async function open(): Promise<Stage> {
  const config = readConfig({ DATABASE_URL: 'file::memory:', LOG_LEVEL: 'silent' });
  const portico = await compose(config, () => NOON);
  await prepareWithTestKeys(portico);
  const nina = await person(portico, 'nina');
  await person(portico, 'lee');
  await publish(portico, nina, 'Bread and topic7', 'Some words: 面包很好.');
  await publish(portico, nina, 'Another', 'ไทย words.');
  const { client } = await registerClient(byServer(portico.clock), portico.oauth, {
    name: 'Notebook',
    kind: 'confidential',
    redirectUris: [CALLBACK, 'com.example.notebook:/callback?x=1'],
    postLogoutRedirectUris: [SIGNED_OUT],
  });
  return { portico, client };
}
