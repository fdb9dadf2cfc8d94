// A dry run and the run after it, over random records: the report of both is the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byCommandLine, byMember } from '../../src/audit/doer.ts';
import { compose, type Portico } from '../../src/compose.ts';
import { readConfig } from '../../src/config.ts';
import type { Destination } from '../../src/import/destination.ts';
import { dryRunOf } from '../../src/import/dry-run.ts';
import { importAll } from '../../src/import/import-all.ts';
import type { FileEntry, Person } from '../../src/import/record.ts';
import { openReport } from '../../src/import/report.ts';
import { setStatus } from '../support/people.ts';

const NAMES = ['alice', 'bob', 'x'];
const name = fc.constantFrom(...NAMES);
const id = fc.constantFrom('1', '2', '3');
const person: fc.Arbitrary<Person> = fc.oneof(fc.record({ name }), fc.record({ name }), fc.record({ id }));
const place = {};
const createdAt = fc.constantFrom(undefined, undefined, undefined, 1_700_000_000_000, 9_999_999_999_999);
const body = fc.constantFrom('Slowly.', 'Home.', '', 'word '.repeat(1500)).map((text) => () => text);

const member = fc.record({
  kind: fc.constant('member' as const),
  place: fc.constant(place),
  id,
  username: name,
  email: fc.constantFrom(undefined, undefined, 'a@example.org', 'b@example.org', 'nowhere'),
  createdAt,
});
const category = fc.record({
  kind: fc.constant('category' as const),
  place: fc.constant(place),
  id,
  name: fc.constantFrom('City', 'city', 'C', 'C++', ''),
});
const post = fc.record({
  kind: fc.constant('post' as const),
  place: fc.constant(place),
  id,
  author: person,
  title: fc.constantFrom('On walking', 'On sitting', ''),
  body,
  category: fc.constantFrom(undefined, undefined, 'City', 'Sea', '\u0007'),
  status: fc.constantFrom('published' as const, 'published' as const, 'draft' as const),
  createdAt,
});
const comment = fc.record({
  kind: fc.constant('comment' as const),
  place: fc.constant(place),
  id,
  author: person,
  post: id,
  body,
  replyTo: fc.constantFrom(undefined, '1', '2', '3'),
  createdAt,
});
const like = fc.record({
  kind: fc.constant('like' as const),
  place: fc.constant(place),
  id: fc.nat(9).map(String),
  by: person,
  post: id,
  createdAt,
});
// As many as fill a batch, so that the records after it are in another one.
const batch = fc.constant({ kind: 'batch' as const });

const records = fc.array(fc.oneof(member, member, category, post, post, comment, like, like, batch), {
  maxLength: 40,
  size: 'max',
});
type Records = typeof records extends fc.Arbitrary<infer R> ? R : never;

/** The records under names of this trial only, so that all trials share a database. */
function entriesOf(list: Records, trial: number): FileEntry[] {
  const own = (text: string) => `${text}-${trial}`;
  const ownPerson = (each: Person) => ('name' in each ? { name: own(each.name) } : each);
  return list.flatMap((each): FileEntry[] => {
    if (each.kind === 'batch') return Array(250).fill({ kind: 'skipped', place, sort: 'others' });
    if (each.kind === 'member') {
      const email = each.email?.includes('@') ? `${trial}${each.email}` : each.email;
      return [{ ...each, email, username: own(each.username) }];
    }
    if (each.kind === 'category') return [{ ...each, name: each.name && own(each.name) }];
    if (each.kind === 'like') return [{ ...each, by: ownPerson(each.by) }];
    const author = ownPerson(each.author);
    if (each.kind === 'comment') return [{ ...each, author }];
    return [{ ...each, author, category: each.category && own(each.category) }];
  });
}

async function reportOf(destination: Destination, list: Records, trial: number, options: Options) {
  const report = openReport(undefined);
  async function* entries() {
    yield* entriesOf(list, trial);
  }
  const file = { source: 's', isForeign: options.isForeign, entries: entries(), progress: () => 0 };
  const existingMembers = new Map(options.isLinked ? [[`alice-${trial}`, `bob-${trial}`]] : []);
  const by = byCommandLine(destination.clock);
  const source = `source ${trial}`;
  await importAll(destination, file, { by, source, format: 'jsonl', existingMembers, report }, () => {});
  const { added, alreadyThere, refusals, firstRefusals, changes, firstChanges, skipped } = report;
  return { added, alreadyThere, refusals, firstRefusals, changes, firstChanges, skipped: [...skipped] };
}

interface Options {
  isForeign: boolean;
  isLinked: boolean;
}

/** Close the accounts of some members, and remove the posts of others. */
async function change(
  { identity, community, clock }: Portico,
  trial: number,
  closed: string[],
  removed: string[],
) {
  for (const each of removed) {
    const author = await identity.reads.findUserByName(`${each}-${trial}`);
    if (author === undefined) continue;
    const { items } = await community.reads.publishedPostsOf(author.id, 0, 9);
    for (const { id: postId } of items) {
      await community.writes.removePost(byMember(author, clock), postId, 0);
    }
  }
  for (const each of closed) {
    const user = await identity.reads.findUserByName(`${each}-${trial}`);
    if (user !== undefined) await setStatus(identity, user.id, 'closed');
  }
}

test('a dry run foretells exactly what the import then does', async (t) => {
  const now = Date.now();
  const portico = await compose(
    readConfig({ DATABASE_URL: 'file::memory:', LOG_LEVEL: 'silent' }),
    () => now,
  );
  t.after(() => portico.close());
  await portico.database.migrate();
  let trial = 0;
  const some = fc.subarray(NAMES, { maxLength: 2 });
  const options = fc.record({ isForeign: fc.boolean(), isLinked: fc.boolean() });

  await fc.assert(
    fc.asyncProperty(records, records, some, some, options, async (before, list, closed, removed, how) => {
      trial += 1;
      await reportOf(portico.imports, before, trial, { ...how, isLinked: false });
      await change(portico, trial, closed, removed);

      const foretold = await reportOf(dryRunOf(portico.imports), list, trial, how);
      const done = await reportOf(portico.imports, list, trial, how);

      assert.deepEqual(foretold, done);
    }),
    { numRuns: Number(process.env.DRY_RUNS ?? 100) },
  );
});
