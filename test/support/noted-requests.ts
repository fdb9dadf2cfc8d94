// Requests in an access diary, for pages that show one.

import type { Portico } from '../../src/compose.ts';

/** Note some requests in the access diary of a member, as the API does. */
export async function writeDiary(portico: Portico, userId: number, clientId: string): Promise<void> {
  const user = await portico.identity.reads.findUser(userId);
  if (user === undefined) throw new Error('no such member');
  const principal = {
    user,
    scopes: [],
    tokenKey: 'k',
    clientId,
    source: 'f',
    digest: 'd',
    checkedAt: portico.clock(),
  };
  const request = { reading: 'profile', posts: 0, address: '192.0.2.7', userAgent: 'curl/8.5.0' } as const;
  for (const status of [200, 304, 429]) portico.diary.note(principal, { ...request, status });
  await portico.mergeDiary();
}
