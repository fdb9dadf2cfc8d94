// The modules with rules, each with its store on one database.

import type { AuditLog } from './audit/audit-log.ts';
import { levelOf } from './audit/security-event.ts';
import type { Community, PicturePlace } from './community/community.ts';
import type { Config } from './config.ts';
import type { Identity } from './identity/identity.ts';
import { membersNamed } from './identity/named-members.ts';
import { namesInHost } from './identity/password-rules.ts';
import type { Destination } from './import/destination.ts';
import { andThen } from './lib/awaitable.ts';
import { breachedPasswords } from './lib/breached-passwords.ts';
import type { Clock } from './lib/clock.ts';
import { failureReason } from './lib/failure-reason.ts';
import { describedStore } from './lib/file-store.ts';
import type { Log } from './lib/log.ts';
import { openFileStore } from './lib/open-file-store.ts';
import { StorageUnavailable } from './lib/storage-unavailable.ts';
import { openTextRenderer } from './lib/text-renderer.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import { documentPolicyOf } from './oauth/client-document.ts';
import { credentialMask } from './oauth/exposed-credential.ts';
import { filesFailure } from './setting-failures.ts';
import { guestRulesOf } from './site/guest-rules.ts';
import { DEFAULT_SETTINGS } from './site/settings.ts';
import { type Site, type SiteStore, settingsOf } from './site/site.ts';
import { auditStore } from './storage/audit/audit-log.ts';
import { backgroundWorkWrites } from './storage/audit/background-work.ts';
import { withEventLog } from './storage/audit/event-log.ts';
import { openCache } from './storage/cache/cache.ts';
import { cachedCommunityStore } from './storage/cache/cached-community-store.ts';
import { cachedOAuthStore } from './storage/cache/cached-oauth-store.ts';
import { cachedSiteStore } from './storage/cache/cached-site-store.ts';
import { communityStore } from './storage/community/community-store.ts';
import type { PostgresDatabase } from './storage/engine/postgres.ts';
import type { SqliteDatabase } from './storage/engine/sqlite.ts';
import { identityStore } from './storage/identity/identity-store.ts';
import { importStore } from './storage/import/import-store.ts';
import { oauthStore } from './storage/oauth/oauth-store.ts';
import { siteStore } from './storage/site/site-store.ts';

/** SQLite or PostgreSQL. */
export type EitherDatabase = SqliteDatabase | PostgresDatabase;

export interface Modules {
  oauth: AuthorizationServer;
  identity: Identity;
  community: Community;
  audit: AuditLog;
  /** The destination of imports. */
  imports: Destination;
  site: Site;
}

/** Connect the modules to their stores on a database. */
export function modulesOn(database: EitherDatabase, config: Config, clock: Clock, log: Log): Modules {
  const { oauth, identity, community, site: settings } = storesOn(database, config.cachedTokens, log);
  const site = siteOn(settings, config, clock);
  const auditWrites = { ...identity, ...backgroundWorkWrites(database) };
  const audit: AuditLog = { reads: auditStore(database), writes: auditWrites, clock };
  const imports = importStore(database);
  const guestRules = guestRulesOf(site, config.brand);
  const { brand, baseUrl: issuer, rsaKeyBits } = config;
  const server: AuthorizationServer = {
    reads: oauth,
    writes: oauth,
    clock,
    brand,
    issuer,
    rsaKeyBits,
    documentPolicy: () =>
      andThen(settingsOf(site), ({ documents, applications }) =>
        documentPolicyOf(documents === 'accepted', applications),
      ),
  };
  const maskCredentials = credentialMask(server);
  return {
    oauth: server,
    identity: {
      reads: identity,
      writes: identity,
      clock,
      passwordRules: passwordRulesOf(site, config, log),
      guestRules,
      maskCredentials,
    },
    community: {
      reads: community,
      writes: community,
      clock,
      renderer: openTextRenderer(),
      textsToApprove: () =>
        andThen(settingsOf(site), ({ approval, textsToApprove }) =>
          approval === 'off' ? 0 : textsToApprove,
        ),
      membersNamed: (names) => membersNamed({ reads: identity }, names),
      pictures: picturesOf(config, log),
      maskCredentials,
    },
    audit,
    imports: { reads: imports, writes: imports, clock, guestRules },
    site,
  };
}

function siteOn(
  settings: SiteStore,
  { siteName, baseUrl, signUp, timeZone, securityContact }: Config,
  clock: Clock,
): Site {
  const defaults = { ...DEFAULT_SETTINGS, name: siteName, signUp, timeZone };
  return { reads: settings, writes: settings, clock, baseUrl, securityContact, defaults };
}

function picturesOf({ files, earlierFiles, pictures }: Config, log: Log): PicturePlace {
  return {
    files: files && describedStore(openFileStore(files), (error) => filesFailure('FILES_URL', files, error)),
    earlier:
      earlierFiles &&
      describedStore(openFileStore(earlierFiles), (error) =>
        filesFailure('EARLIER_FILES_URL', earlierFiles, error),
      ),
    ...pictures,
    onFailure: (error) =>
      error instanceof StorageUnavailable
        ? log.warn({ reason: failureReason(error) }, 'could not store a picture in the database')
        : log.warn({ reason: (error as Error).message }, 'could not reach the pictures'),
  };
}

function passwordRulesOf(site: Site, { baseUrl, brand, breachedPasswordsUrl: url }: Config, log: Log) {
  const tell = (reason: string) =>
    log.warn({ reason }, 'could not check a password for breaches; accepted it');
  return {
    siteNames: () =>
      andThen(settingsOf(site), ({ name }) => [name, brand, ...namesInHost(new URL(baseUrl).hostname)]),
    isBreached: url === undefined ? undefined : breachedPasswords(url, tell),
  };
}

/** Open the stores. Without the lines about the cache everything works the same, only slower. */
function storesOn(database: EitherDatabase, cachedTokens: number, log: Log) {
  const loggedDatabase = withEventLog(database, log, levelOf);
  const oauth = oauthStore(loggedDatabase);
  const identity = identityStore(loggedDatabase);
  const community = communityStore(database);
  const site = siteStore(database);
  // Not cached: other machines can write to PostgreSQL, and this process doesn't learn of it.
  if (database.dialect === 'postgres') return { oauth, identity, community, site };
  const cache = openCache(database, cachedTokens);
  return {
    oauth: cachedOAuthStore(oauth, cache),
    identity,
    community: cachedCommunityStore(community, cache),
    site: cachedSiteStore(site, cache),
  };
}
