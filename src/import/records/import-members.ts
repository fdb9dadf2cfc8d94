// Importing members. A member of another site gets a valid username that is free here.

import { MOST_BIO_CHARACTERS } from '../../identity/bio.ts';
import {
  fittingBio,
  foreignNameOf,
  importedMember,
  type MemberToImport,
  namesFor,
} from '../../identity/imported-member.ts';
import { usernameKey } from '../../identity/username.ts';
import type { ImportRun } from '../import-run.ts';
import type { MemberRecord } from '../record.ts';
import type { ImportedMember, ImportOutcome } from '../store.ts';
import { countOutcome, createdAtOf, newRecords, refuse, reportChange, sentenceOf } from './outcomes.ts';

/** A member to import, with the usernames that can still be tried. */
interface Candidate {
  record: MemberRecord;
  member: MemberToImport;
  names: Iterator<string>;
}

interface Ready {
  candidate: Candidate;
  imported: ImportedMember;
}

export async function importMembers(run: ImportRun, records: readonly MemberRecord[]): Promise<void> {
  let candidates: Candidate[] = [];
  for (const record of await newRecords(run, records)) {
    const createdAt = createdAtOf(run, record);
    if (createdAt === undefined || (await linkExistingMember(run, record))) continue;
    candidates.push(candidateFrom(run, record, createdAt));
  }
  // A candidate whose username is taken tries the next one.
  while (candidates.length > 0) candidates = await tryNextNames(run, candidates);
}

function candidateFrom({ isForeign }: ImportRun, record: MemberRecord, createdAt: number): Candidate {
  const { username, email, password, passwordHash, id } = record;
  const bio = isForeign ? fittingBio(record.bio ?? '', MOST_BIO_CHARACTERS) : record.bio;
  const names = isForeign ? namesFor(username, id) : [username].values();
  return { record, member: { username, email, bio, createdAt, password, passwordHash }, names };
}

/** Try to add each candidate once. Returns the candidates that can try again. */
async function tryNextNames(run: ImportRun, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const retries: Candidate[] = [];
  const ready = await prepare(run, withNextNames(run, candidates), retries);
  const members = ready.map(({ imported }) => imported);
  const outcomes = await run.writes.addImportedMembers(run.source, members);
  for (const [index, { candidate }] of ready.entries()) {
    const outcome = outcomes[index];
    if (run.isForeign && outcome === 'username_taken') retries.push(candidate);
    else if (run.isForeign && outcome === 'email_taken') {
      retries.push(withoutEmail(run, candidate, 'another account has it'));
    } else await finish(run, candidate, outcome);
  }
  return retries;
}

function withNextNames(run: ImportRun, candidates: readonly Candidate[]): Candidate[] {
  return candidates.flatMap(({ record, member, names }) => {
    const username = names.next().value;
    if (username !== undefined) return [{ record, names, member: { ...member, username } }];
    refuse(run, record, 'username: taken');
    return [];
  });
}

/**
 * Check the candidates by the rules for members. Adds those with an invalid email to `retries`, without it, and
 * those with a reserved username.
 */
async function prepare(
  run: ImportRun,
  candidates: readonly Candidate[],
  retries: Candidate[],
): Promise<Ready[]> {
  const { reservedNames } = await run.guestRules();
  const checks = await Promise.all(candidates.map(({ member }) => importedMember(member, reservedNames)));
  const ready: Ready[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const check = checks[index];
    if (check === undefined) continue;
    const { record, member } = candidate;
    if ('user' in check) {
      const { user } = check;
      const foreignName = foreignNameOf(record.username, user);
      ready.push({ candidate, imported: { externalId: record.id, user, foreignName } });
    } else if (run.isForeign && 'email' in check.problems) {
      retries.push(withoutEmail(run, candidate, `"${member.email}" is not an email address`));
    } else if (run.isForeign && check.problems.username === 'reserved') {
      retries.push(candidate);
    } else {
      refuse(run, record, sentenceOf(check.problems));
      if (check.problems.username === 'reserved') await blockNamesake(run, record.username);
    }
  }
  return ready;
}

// The email was the problem, so the usernames are tried from the first one again.
function withoutEmail(run: ImportRun, { record, member }: Candidate, reason: string): Candidate {
  reportChange(run, record, `email: left out, since ${reason}`);
  return { record, member: { ...member, email: undefined }, names: namesFor(record.username, record.id) };
}

async function finish(
  run: ImportRun,
  { record, member }: Candidate,
  outcome: ImportOutcome | undefined,
): Promise<void> {
  countOutcome(run, record, outcome, outcome === 'email_taken' ? 'email: taken' : 'username: taken');
  if (run.isForeign && outcome === 'added' && member.username !== record.username) {
    reportChange(run, record, `username: changed from "${record.username}" to "${member.username}"`);
  }
  if (outcome === 'username_taken') await blockNamesake(run, record.username);
}

// Posts in the file must not go to another member who has the author's username here.
async function blockNamesake({ reads, source, authors }: ImportRun, name: string): Promise<void> {
  const namesake = await reads.findUserByName(usernameKey(name));
  const isFromSource = namesake && (await reads.isImportedMember(source, namesake.id));
  if (!isFromSource) authors.block(name);
}

/**
 * Link the record to the existing account that the operator named for it, or refuse it if there is no such
 * account. Returns false if the operator named no account.
 */
async function linkExistingMember(run: ImportRun, record: MemberRecord): Promise<boolean> {
  const { existingMembers, reads, writes, source, report } = run;
  const name = existingMembers.get(usernameKey(record.username));
  if (name === undefined) return false;
  const user = await reads.findUserByName(usernameKey(name));
  if (user === undefined || user.status === 'closed') {
    refuse(run, record, `--member: there is no member named "${name}"`);
    return true;
  }
  await writes.rememberImportedMember(source, record.id, user.id);
  report.alreadyThere.member += 1;
  return true;
}
