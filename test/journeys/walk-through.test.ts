// The commands of the developers' walk-through, run in a shell against the program: with one process, and with several
// that share the requests.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Deployment, openDeployment, withoutDeployment } from '../support/deployments.ts';
import { browserOf, notebook, person, publish } from '../support/people.ts';
import { answerConsent } from '../support/relying-party.ts';

for (const kind of ['sqlite', 'two workers', 'two machines'] as const) {
  test(`Each step of "Step by step with curl" can be copied and works, on ${kind}`, {
    skip: withoutDeployment(kind),
  }, async (t) => {
    const app = await openDeployment(kind, t);
    const alice = await person(app.portico, 'alice');
    await publish(app.portico, alice, 'On walking');
    const client = await notebook(app.portico, { redirectUris: ['http://127.0.0.1:8400/callback'] });
    const [
      settings = '',
      request = '',
      code = '',
      exchange = '',
      tokens = '',
      me = '',
      posts = '',
      refresh = '',
      revoke = '',
    ] = commands(app);
    const shell = new Shell();

    shell.add(settings.replace('app_...', client.id).replace('svcs_...', client.secret));
    const address = new URL((await shell.run(request)).trim());
    const callback = await answerConsent(await browserOf(app, 'alice'), address.searchParams);
    shell.add(code.replace('svcc_...', callback.searchParams.get('code') ?? ''));
    const issued = JSON.parse(await shell.run(exchange));
    shell.add(tokens.replace('svco_...', issued.access_token).replace('svcr_...', issued.refresh_token));

    assert.equal(callback.searchParams.get('iss'), app.url);
    assert.equal(JSON.parse(await shell.run(me)).username, 'alice');
    assert.equal(JSON.parse(await shell.run(posts)).items[0].title, 'On walking');
    assert.match(JSON.parse(await shell.run(refresh)).refresh_token, /^svcr_/);
    assert.equal(await shell.run(revoke), '{}');
    assert.equal(JSON.parse(await shell.run(me)).status, 401);
  });
}

/** Return the shell commands on the page, with this community's values. */
function commands(app: Deployment): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/developers/walk-through.md'), 'utf8')
    .replaceAll('{{base_url}}', app.url)
    .replaceAll('{{brand}}', 'svc');
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
}

/** A shell that keeps the variables that earlier commands set. */
class Shell {
  private before = '';

  add(commands: string): void {
    this.before += `${commands}\n`;
  }

  /** Run commands, and return their output. */
  async run(commands: string): Promise<string> {
    const marker = '--variables--';
    const script = `set -eu\n${this.before}\n${commands}\necho\necho ${marker}\ndeclare -p STATE VERIFIER CHALLENGE`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const [output = '', variables = ''] = stdout.split(`\n${marker}\n`);
    this.add(variables);
    return output.replace(/\n$/, '');
  }
}
