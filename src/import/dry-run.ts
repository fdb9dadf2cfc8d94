// A dry run: storage that checks every record as an import would, and writes nothing. It remembers the
// records that an import would have added, in a few bytes each.

import type { Category } from '../community/store.ts';
import type { NewUser } from '../identity/store.ts';
import type { User } from '../identity/user.ts';
import type { Clock } from '../lib/clock.ts';
import type { Destination } from './destination.ts';
import { DigestTable } from './digest-table.ts';
import type { ImportedKind, ImportOutcome, ImportReads, ImportWrites } from './store.ts';

// Placeholders for the ids of records that are not in the database. No query uses them.
const PLANNED_ID = -1;
const PLANNED_DRAFT_ID = -2;

/** The same destination, except that a write is only remembered. */
export function dryRunOf({ reads, clock }: Destination): Destination {
  const records = new PlannedRecords();
  const members = new PlannedMembers(reads, records, clock);
  const categories = new PlannedCategories(reads);
  return {
    clock,
    reads: plannedReads(reads, { records, members, categories }),
    writes: plannedWrites({ records, members, categories }),
  };
}

interface Plan {
  records: PlannedRecords;
  members: PlannedMembers;
  categories: PlannedCategories;
}

function plannedReads(reads: ImportReads, { records, members, categories }: Plan): ImportReads {
  return {
    async importedRecords(source, kind, externalIds) {
      const ids = await reads.importedRecords(source, kind, externalIds);
      for (const externalId of externalIds) {
        const plannedId = ids.has(externalId) ? undefined : records.idOf(kind, externalId);
        if (plannedId !== undefined) ids.set(externalId, plannedId);
      }
      return ids;
    },
    async isImportedMember(source, userId) {
      return userId === PLANNED_ID || reads.isImportedMember(source, userId);
    },
    findUserByName: (usernameKey) => members.findByName(usernameKey),
    findUserByEmail: (emailKey) => reads.findUserByEmail(emailKey),
    categories: () => categories.all(),
  };
}

function plannedWrites({ records, members, categories }: Plan): ImportWrites {
  return {
    async beginImport() {},
    ensureImportedCategory: (slug, name) => categories.ensure(slug, name),
    async rememberImportedMember(_source, externalId) {
      records.add('member', externalId);
    },
    async addImportedMembers(_source, items) {
      const outcomes: ImportOutcome[] = [];
      for (const { externalId, user } of items) outcomes.push(await members.add(externalId, user));
      return outcomes;
    },
    async addImportedPosts(_source, posts) {
      return posts.map(({ externalId, status }) => records.addPost(externalId, status));
    },
    async addImportedComments(_source, comments) {
      return comments.map(({ externalId, postId }) => records.addToPost('comment', externalId, postId));
    },
    async addImportedLikes(_source, likes) {
      return likes.map(({ externalId, postId }) => records.addToPost('like', externalId, postId));
    },
  };
}

class PlannedRecords {
  private readonly records = new DigestTable();
  private readonly drafts = new DigestTable();

  idOf(kind: ImportedKind, externalId: string): number | undefined {
    if (!this.has(kind, externalId)) return undefined;
    return kind === 'post' && this.drafts.count(externalId) > 0 ? PLANNED_DRAFT_ID : PLANNED_ID;
  }

  has(kind: ImportedKind, externalId: string): boolean {
    return this.records.count(`${kind} ${externalId}`) > 0;
  }

  add(kind: ImportedKind, externalId: string): ImportOutcome {
    return this.records.add(`${kind} ${externalId}`) === 1 ? 'added' : 'already_there';
  }

  addPost(externalId: string, status: 'draft' | 'published'): ImportOutcome {
    if (status === 'draft') this.drafts.add(externalId);
    return this.add('post', externalId);
  }

  addToPost(kind: 'comment' | 'like', externalId: string, postId: number): ImportOutcome {
    return postId === PLANNED_DRAFT_ID ? 'target_missing' : this.add(kind, externalId);
  }
}

class PlannedMembers {
  private readonly names = new DigestTable();
  private readonly emails = new DigestTable();
  private readonly reads: ImportReads;
  private readonly records: PlannedRecords;
  private readonly clock: Clock;

  constructor(reads: ImportReads, records: PlannedRecords, clock: Clock) {
    this.reads = reads;
    this.records = records;
    this.clock = clock;
  }

  async findByName(usernameKey: string): Promise<User | undefined> {
    const user = await this.reads.findUserByName(usernameKey);
    if (user !== undefined || this.names.count(usernameKey) === 0) return user;
    return {
      id: PLANNED_ID,
      username: usernameKey,
      email: undefined,
      bio: '',
      avatar: undefined,
      status: 'active',
      isOperator: false,
      isModerator: false,
      memberUntil: undefined,
      xp: 0,
      createdAt: this.clock(),
    };
  }

  async add(externalId: string, { usernameKey, emailKey }: NewUser): Promise<ImportOutcome> {
    if (this.records.has('member', externalId)) return 'already_there';
    if ((await this.findByName(usernameKey)) !== undefined) return 'username_taken';
    if (emailKey !== undefined) {
      if (await this.isEmailTaken(emailKey)) return 'email_taken';
      this.emails.add(emailKey);
    }
    this.names.add(usernameKey);
    return this.records.add('member', externalId);
  }

  private async isEmailTaken(emailKey: string): Promise<boolean> {
    if (this.emails.count(emailKey) > 0) return true;
    return (await this.reads.findUserByEmail(emailKey)) !== undefined;
  }
}

class PlannedCategories {
  private readonly planned: Category[] = [];
  private readonly reads: ImportReads;

  constructor(reads: ImportReads) {
    this.reads = reads;
  }

  async all(): Promise<Category[]> {
    return [...(await this.reads.categories()), ...this.planned];
  }

  async ensure(slug: string, name: string): Promise<Category> {
    const existing = (await this.all()).find((category) => category.slug === slug);
    if (existing !== undefined) return existing;
    const category = { id: -1 - this.planned.length, slug, name, description: '' };
    this.planned.push(category);
    return category;
  }
}
