// Filling a community whose members are made up: for the sandbox, and for the kit.

import { byServer, type SystemDoer } from '../audit/doer.ts';
import type { Community } from '../community/community.ts';
import { write } from '../community/writing.ts';
import type { Identity } from '../identity/identity.ts';
import { createUser } from '../identity/user-creation.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { replaceCompromisedKeys } from '../oauth/signing-key.ts';

export interface NewMember {
  username: string;
  password: string;
  bio?: string;
  isOperator?: boolean;
}

/** Add a member, at a moment that may be in the past. Returns the id. Throws if there can't be such a member. */
export async function addMember(by: SystemDoer, identity: Identity, member: NewMember): Promise<number> {
  const outcome = await createUser(by, identity, { ...member, mayHaveReservedName: true });
  if ('id' in outcome) return outcome.id;
  throw new Error(`${member.username} can't be added: ${JSON.stringify(outcome.problems)}`);
}

/** Publish a post of a member, at a moment that may be in the past. Returns its id. */
export async function publish(
  by: SystemDoer,
  community: Community,
  authorId: number,
  { title, body }: { title: string; body: string },
): Promise<number> {
  const text = { title, body, categoryId: 1 };
  const outcome = await write(by, community, { authorId, text, status: 'published' });
  if ('id' in outcome) return outcome.id;
  throw new Error(`The post can't be published: ${JSON.stringify(outcome)}`);
}

/** Replace the keys that sign id_tokens, at once. */
export async function replaceKeys(server: AuthorizationServer): Promise<void> {
  for (const alg of ['RS256', 'ES256'] as const) {
    await replaceCompromisedKeys(byServer(server.clock), server, alg);
  }
}
