// A dry run: storage that checks every record as an import would, and writes nothing.

import type { Category } from '../community/store.ts';
import type { NewUser } from '../identity/store.ts';
import type { User } from '../identity/user.ts';
import type { Clock } from '../lib/clock.ts';
import type { Destination } from './destination.ts';
import { DigestTable } from './digest-table.ts';
import { PlannedRecords } from './planned-records.ts';
import type {
  ImportedComment,
  ImportedKind,
  ImportedLike,
  ImportedPost,
  ImportOutcome,
  ImportReads,
  ImportWrites,
} from './store.ts';

/** The same destination, except that a write is only remembered. */
export function dryRunOf({ reads, clock, guestRules }: Destination): Destination {
  const records = new PlannedRecords();
  const plan: Plan = {
    reads,
    records,
    members: new PlannedMembers(reads, records, clock),
    categories: new PlannedCategories(reads),
  };
  return { clock, guestRules, reads: plannedReads(plan), writes: plannedWrites(plan) };
}

interface Plan {
  /** What is in the database. */
  reads: ImportReads;
  records: PlannedRecords;
  members: PlannedMembers;
  categories: PlannedCategories;
}

function plannedReads({ reads, records, members, categories }: Plan): ImportReads {
  return {
    ...reads,
    async importedRecords(source, kind, externalIds) {
      const ids = await reads.importedRecords(source, kind, externalIds);
      for (const externalId of externalIds) {
        const plannedId = ids.has(externalId) ? undefined : records.idOf(kind, externalId);
        if (plannedId !== undefined) ids.set(externalId, plannedId);
      }
      return ids;
    },
    async isImportedMember(source, userId) {
      return isPlanned(userId) || records.isLinked(userId) || reads.isImportedMember(source, userId);
    },
    findUserByName: (usernameKey) => members.findByName(usernameKey),
    categories: () => categories.all(),
  };
}

function plannedWrites(plan: Plan): ImportWrites {
  const { records, members, categories } = plan;
  return {
    async beginImport() {},
    async addOldAddresses() {},
    async addOldAddressesOfCategories() {},
    addPicture: async () => false,
    ensureImportedCategory: (slug, name, most) => categories.ensure(slug, name, most),
    async rememberImportedMember(_source, externalId, userId) {
      records.link(externalId, userId);
    },
    async addImportedMembers(_source, items) {
      const outcomes: ImportOutcome[] = [];
      for (const { externalId, user } of items) outcomes.push(await members.add(externalId, user));
      return Promise.all(items.map(({ user }, index) => members.finalOutcome(user, outcomes[index])));
    },
    addImportedPosts: (_source, posts) => addAll(plan, 'post', posts, addPost),
    addImportedComments: (_source, comments) => addAll(plan, 'comment', comments, addComment),
    async addImportedLikes(_source, likes) {
      const outcomes: ImportOutcome[] = [];
      for (const like of likes) outcomes.push(await addLike(plan, like));
      return outcomes;
    },
  };
}

async function addAll<T extends { externalId: string }>(
  plan: Plan,
  kind: ImportedKind,
  items: readonly T[],
  add: (plan: Plan, item: T) => Promise<boolean>,
): Promise<ImportOutcome[]> {
  const isKnown = ({ externalId }: T) => plan.records.idOf(kind, externalId) !== undefined;
  const isAdded: boolean[] = [];
  for (const item of items) isAdded.push(!isKnown(item) && (await add(plan, item)));
  return items.map((item, index) => {
    if (isAdded[index]) return 'added';
    return isKnown(item) ? 'already_there' : 'target_missing';
  });
}

async function addPost(plan: Plan, post: ImportedPost): Promise<boolean> {
  const { isOpen } = await standing(plan, post.userId, 0);
  if (isOpen) plan.records.addPost(post);
  return isOpen;
}

async function addComment(plan: Plan, { externalId, userId, postId }: ImportedComment): Promise<boolean> {
  const { isOpen, isPublished } = await standing(plan, userId, postId);
  if (isOpen && isPublished) plan.records.add('comment', externalId);
  return isOpen && isPublished;
}

async function addLike(plan: Plan, { externalId, userId, postId }: ImportedLike): Promise<ImportOutcome> {
  const { isOpen, isPublished, authorId, isLiked } = await standing(plan, userId, postId);
  if (!isOpen || !isPublished || authorId === userId) return 'target_missing';
  if (isLiked || plan.records.idOf('like', externalId) !== undefined) return 'already_there';
  plan.records.addLike(externalId, userId, postId);
  return 'added';
}

/** How a member and a post stand to each other, whether they are in the database or only planned. */
async function standing({ reads, records }: Plan, userId: number, postId: number) {
  const stored = await reads.standing(userId, postId);
  const isOpen = isPlanned(userId) || (stored.memberStatus !== undefined && stored.memberStatus !== 'closed');
  const isLiked = stored.isLiked || records.hasLike(userId, postId);
  if (isPlanned(postId)) return { isOpen, isLiked, ...records.postWith(postId) };
  return { isOpen, isLiked, authorId: stored.authorId, isPublished: stored.postStatus === 'published' };
}

function isPlanned(id: number): boolean {
  return id < 0;
}

class PlannedMembers {
  /** The numbers of members by their usernames here. The id is the negative number. */
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
    const number = this.names.get(usernameKey);
    if (user !== undefined || number === 0) return user;
    return {
      id: -number,
      username: usernameKey,
      email: undefined,
      bio: '',
      avatar: undefined,
      status: 'active',
      isOperator: false,
      isModerator: false,
      hasFactor: false,
      memberUntil: undefined,
      xp: 0,
      keepsDiary: true,
      diarySince: undefined,
      createdAt: this.clock(),
    };
  }

  async add(externalId: string, { usernameKey, emailKey }: NewUser): Promise<ImportOutcome> {
    if (this.records.idOf('member', externalId) !== undefined) return 'already_there';
    if ((await this.findByName(usernameKey)) !== undefined) return 'username_taken';
    if (emailKey !== undefined) {
      if (await this.isEmailTaken(emailKey)) return 'email_taken';
      this.emails.add(emailKey);
    }
    this.names.set(usernameKey, -this.records.add('member', externalId));
    return 'added';
  }

  /** Storage looks for a namesake after it added all members of a batch. */
  async finalOutcome({ usernameKey }: NewUser, outcome: ImportOutcome = 'added'): Promise<ImportOutcome> {
    if (outcome !== 'email_taken') return outcome;
    return (await this.findByName(usernameKey)) === undefined ? 'email_taken' : 'username_taken';
  }

  private async isEmailTaken(emailKey: string): Promise<boolean> {
    if (this.emails.get(emailKey) > 0) return true;
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

  async ensure(slug: string, name: string, most: number): Promise<Category | undefined> {
    const all = await this.all();
    const existing = all.find((category) => category.slug === slug);
    if (existing !== undefined || all.length >= most) return existing;
    const category = { id: -1 - this.planned.length, slug, name, description: '' };
    this.planned.push(category);
    return category;
  }
}
