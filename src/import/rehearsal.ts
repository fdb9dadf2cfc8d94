// The rooms as an import would find them, without writing anything: what it would have brought is remembered in a few
// bytes for each record.

import type { Brought, ImportedKind, ImportStore } from '../community/import-store.ts';
import type { Category } from '../community/store.ts';
import type { NewUser } from '../identity/store.ts';
import type { User } from '../identity/user.ts';
import { DigestTable } from './digest-table.ts';
import type { Rooms } from './taking.ts';

// Numbers of what is not there: nothing is looked for by them.
const WOULD_BE = -1;
const WOULD_BE_DRAFT = -2;

/** Rooms in which everything is judged as in these, and nothing is changed. */
export function rehearsalIn({ identity, community, clock }: Rooms): Rooms {
  const names = new DigestTable();
  const emails = new DigestTable();
  const records = new DigestTable();
  const drafts = new DigestTable();
  const categories: Category[] = [];

  async function findUserByName(usernameKey: string): Promise<User | undefined> {
    const found = await identity.reads.findUserByName(usernameKey);
    if (found !== undefined || names.count(usernameKey) === 0) return found;
    const nobody = { email: undefined, avatar: undefined, isOperator: false, memberUntil: undefined };
    return {
      ...{ ...nobody, id: WOULD_BE, username: usernameKey, bio: '', status: 'active', xp: 0 },
      createdAt: clock(),
    };
  }

  function note(kind: ImportedKind, { externalId }: { externalId: string }): Brought {
    return records.add(`${kind} ${externalId}`) === 1 ? 'added' : 'there';
  }

  async function addMember(externalId: string, { usernameKey, emailKey }: NewUser): Promise<Brought> {
    if (records.count(`member ${externalId}`) > 0) return 'there';
    if ((await findUserByName(usernameKey)) !== undefined) return 'username_taken';
    if (emailKey !== undefined) {
      const isTaken =
        emails.count(emailKey) > 0 || (await identity.reads.findUserByEmail(emailKey)) !== undefined;
      if (isTaken) return 'email_taken';
      emails.add(emailKey);
    }
    names.add(usernameKey);
    return note('member', { externalId });
  }

  const store: ImportStore = {
    async importedRecords(source, kind, externalIds) {
      const found = await community.reads.importedRecords(source, kind, externalIds);
      for (const id of externalIds) {
        if (found.has(id) || records.count(`${kind} ${id}`) === 0) continue;
        found.set(id, drafts.count(id) > 0 && kind === 'post' ? WOULD_BE_DRAFT : WOULD_BE);
      }
      return found;
    },
    async rememberImportedMember(_source, externalId) {
      note('member', { externalId });
    },
    async isImportedMember(source, userId) {
      return userId === WOULD_BE || community.reads.isImportedMember(source, userId);
    },
    async addImportedMembers(_source, members) {
      const brought: Brought[] = [];
      for (const { externalId, user } of members) brought.push(await addMember(externalId, user));
      return brought;
    },
    async addImportedPosts(_source, posts) {
      for (const { externalId, status } of posts) if (status === 'draft') drafts.add(externalId);
      return posts.map((post) => note('post', post));
    },
    async addImportedComments(_source, comments) {
      return comments.map((comment) =>
        comment.postId === WOULD_BE_DRAFT ? 'gone' : note('comment', comment),
      );
    },
    async addImportedLikes(_source, likes) {
      return likes.map((like) => (like.postId === WOULD_BE_DRAFT ? 'gone' : note('like', like)));
    },
  };
  return {
    clock,
    identity: { ...identity, store: { ...identity.store, findUserByName } },
    community: {
      ...community,
      store: {
        ...community.store,
        ...store,
        categories: async () => [...(await community.reads.categories()), ...categories],
        async ensureCategory(slug, name) {
          const known = [...(await community.reads.categories()), ...categories];
          const found = known.find((category) => category.slug === slug);
          if (found !== undefined) return found;
          const made = { id: -1 - categories.length, slug, name };
          categories.push(made);
          return made;
        },
      },
    },
  };
}
