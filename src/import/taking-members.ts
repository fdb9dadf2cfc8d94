// Members, each with an account of their own. Those of another program get a name that can be had here.

import type { Brought, ImportedMember } from '../community/import-store.ts';
import { fittingBio, importedMember, type MemberToImport, namesFor } from '../identity/imported-member.ts';
import { MOST_BIO_CHARACTERS } from '../identity/user.ts';
import { usernameKey } from '../identity/username.ts';
import { missing, momentOf, noteChange, refuse, sentence, settle } from './outcomes.ts';
import type { MemberRecord } from './record.ts';
import type { Taking } from './taking.ts';

/** A member on the way in, with the names that are still to be tried. */
interface Candidate {
  record: MemberRecord;
  member: MemberToImport;
  names: Iterator<string>;
}

export async function takeMembers(taking: Taking, records: readonly MemberRecord[]): Promise<void> {
  const candidates: Candidate[] = [];
  for (const record of await missing(taking, records)) {
    const createdAt = momentOf(taking, record);
    if (createdAt === undefined || (await unite(taking, record))) continue;
    const { username, email, password, passwordHash, id } = record;
    const bio = taking.isForeign ? fittingBio(record.bio ?? '', MOST_BIO_CHARACTERS) : record.bio;
    const names = taking.isForeign ? namesFor(username, id) : [username].values();
    candidates.push({ record, member: { username, email, bio, createdAt, password, passwordHash }, names });
  }
  // Whoever can't have a name tries the next one.
  for (let trying = candidates; trying.length > 0; ) trying = await tryNames(taking, trying);
}

/** One attempt for each of them; those that have another one. */
async function tryNames(taking: Taking, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const { community, source, isForeign } = taking;
  const named = candidates.flatMap(({ record, member, names }) => {
    const username = names.next().value;
    if (username === undefined) refuse(taking, record, 'username: taken');
    return username === undefined ? [] : [{ record, names, member: { ...member, username } }];
  });
  const again: Candidate[] = [];
  // Afresh, since it was not the name that was wrong.
  const tryWithoutEmail = ({ record, member }: Candidate, reason: string) => {
    noteChange(taking, record, `has no e-mail address here: ${reason}`);
    again.push({
      record,
      member: { ...member, email: undefined },
      names: namesFor(record.username, record.id),
    });
  };
  const ready: { candidate: Candidate; imported: ImportedMember }[] = [];
  const made = await Promise.all(named.map(({ member }) => importedMember(member)));
  for (const [index, candidate] of named.entries()) {
    const outcome = made[index];
    if (outcome === undefined) continue;
    const { record, member } = candidate;
    if ('user' in outcome) ready.push({ candidate, imported: { externalId: record.id, user: outcome.user } });
    else if (isForeign && 'email' in outcome.problems)
      tryWithoutEmail(candidate, `"${member.email}" is none`);
    else refuse(taking, record, sentence(outcome.problems));
  }
  const brought = await community.writes.addImportedMembers(
    source,
    ready.map(({ imported }) => imported),
  );
  for (const [index, { candidate }] of ready.entries()) {
    const outcome = brought[index];
    if (isForeign && outcome === 'username_taken') again.push(candidate);
    else if (isForeign && outcome === 'email_taken') tryWithoutEmail(candidate, 'another account has it');
    else {
      tellOutcome(taking, candidate, outcome);
      if (outcome === 'username_taken') await denyNamesake(taking, candidate.record.username);
    }
  }
  return again;
}

// A record that is refused since somebody has the name: what its member wrote must not become that one's, unless the
// same source brought them.
async function denyNamesake({ identity, community, source, people }: Taking, name: string): Promise<void> {
  const namesake = await identity.reads.findUserByName(usernameKey(name));
  const isBrought = namesake && (await community.reads.isImportedMember(source, namesake.id));
  if (!isBrought) people.deny(name);
}

function tellOutcome(taking: Taking, { record, member }: Candidate, outcome: Brought | undefined): void {
  settle(taking, record, outcome, outcome === 'email_taken' ? 'email: taken' : 'username: taken');
  if (taking.isForeign && outcome === 'added' && member.username !== record.username) {
    noteChange(taking, record, `"${record.username}" is called "${member.username}" here`);
  }
}

/** Whether the operator said that this is somebody who is here already. */
async function unite(taking: Taking, record: MemberRecord): Promise<boolean> {
  const { united, identity, community, source, report } = taking;
  const name = united.get(usernameKey(record.username));
  if (name === undefined) return false;
  const user = await identity.reads.findUserByName(usernameKey(name));
  if (user === undefined || user.status === 'closed') {
    refuse(taking, record, `--member: there is no member named "${name}"`);
    return true;
  }
  await community.writes.rememberImportedMember(source, record.id, user.id);
  report.there.member += 1;
  return true;
}
