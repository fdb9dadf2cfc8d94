// A check of the whole installation.

import type { Portico } from '../../compose.ts';
import { SIGNING_ALGORITHMS } from '../../oauth/signing-algorithm.ts';
import { activeKey, prepareSigningKeys } from '../../oauth/signing-key.ts';
import { Checkup, resultOf } from '../checkup.ts';
import { command } from '../command.ts';
import { WrongUsage } from '../options.ts';
import { withPortico } from '../portico.ts';

const doctor = command({
  name: 'doctor',
  summary: 'check the whole installation, with a complete sign-in',
  details: [
    'Checks the settings, the database and its folder, the backups, the pictures, the signing keys, the mail server, ' +
      'Redis, the clocks, the running server, its version, and the proxy in front of it.',
    'Then a temporary member signs in to a temporary application. Both are deleted afterwards, and so are those that ' +
      'an interrupted check or an older version left.',
  ].join('\n'),
  options: {
    'mail-to': { kind: 'text', value: 'ADDRESS', summary: 'send a test mail to this address' },
  },
  async run({ 'mail-to': mailTo }, context) {
    if (mailTo !== undefined && !/^[^\s@]+@[^\s@]+$/.test(mailTo)) {
      throw new WrongUsage('--mail-to must be an email address such as me@community.example.');
    }
    const checkup = new Checkup();
    const config = await context.config();
    const { baseUrl, database, warnings } = config;
    await checkup.step(
      'settings',
      () => undefined,
      () => `${baseUrl}, ${database.kind}`,
    );
    for (const warning of warnings) checkup.warn('settings', warning);
    const { checkBackups, checkFolders, checkMail, checkRedis } = await import('../machine-check.ts');
    const { checkPictures } = await import('../picture-check.ts');
    await withPortico(context, async (portico) => {
      await checkup.step('database', () => checkDatabase(portico));
      await checkFolders(config, checkup);
      await checkBackups(portico, checkup);
      await checkPictures(portico, checkup);
      await checkup.step('signing keys', () => checkKeys(portico));
      await checkMail(config, checkup, mailTo);
      await checkRedis(config, checkup);
      const { checkServer } = await import('../server-check.ts');
      const answers = await checkServer(portico, checkup);
      const { deleteLeftOvers, tryWholeSignIn } = await import('../trial-sign-in.ts');
      if (answers) await tryWholeSignIn(portico, checkup);
      await deleteLeftOvers(portico, checkup);
    });
    return resultOf(checkup, 'Everything works.', 'Some checks failed.');
  },
});

export const doctorCommands = [doctor];

async function checkDatabase({ config: { database } }: Portico): Promise<void> {
  // An open database is reachable and has the current schema.
  if (database.kind !== 'sqlite') return;
  const { problemWithDatabase } = await import('../../operations.ts');
  const problem = problemWithDatabase(database.path);
  if (problem !== undefined) throw new Error(`${database.path}: ${problem}`);
}

// Loading an active key also checks that its private part is readable.
async function checkKeys({ oauth }: Portico): Promise<void> {
  await prepareSigningKeys(oauth);
  await Promise.all(SIGNING_ALGORITHMS.map((alg) => activeKey(oauth, alg)));
}
