// The port for registered applications.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { Scope, ScopeSet } from './scope.ts';
import type { SigningAlgorithm } from './signing-algorithm.ts';

/** The languages in which an application can give a reason. */
export const REASON_LANGUAGES = ['en', 'zh'] as const;
export type ReasonLanguage = (typeof REASON_LANGUAGES)[number];

/** Why an application asks for each scope, in its own words and in one language or both. */
export type ScopeReasons = Readonly<
  Partial<Record<Scope, Readonly<Partial<Record<ReasonLanguage, string>>>>>
>;

/** What an application tells members about itself on the consent page. */
export interface Introduction {
  /** The scopes that it can't work without. Members can only deny a request for them as a whole. */
  requiredScopes: ScopeSet;
  scopeReasons: ScopeReasons;
  homePage: string | undefined;
}

/** A third-party application. Pages call it "application". */
export interface Client extends Introduction {
  id: string;
  name: string;
  /** A public client can't keep a secret (RFC 6749 §2.1) and must use PKCE. */
  kind: 'confidential' | 'public';
  secretDigest: string | undefined;
  ownerId: number | undefined;
  /** The scopes that it may request. */
  scopes: ScopeSet;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  /** If true, `state` and `nonce` are optional: for old libraries and for certification. */
  acceptsMissingStateAndNonce: boolean;
  /** The algorithm that signs its id_tokens. */
  idTokenAlg: SigningAlgorithm;
  status: 'active' | 'deactivated';
  createdAt: Timestamp;
}

/** An application with the username of its owner, if a member owns it. */
export interface OwnedClient {
  client: Client;
  ownerName: string | undefined;
}

export interface TemporaryClientReads {
  /** The ids of the applications with this name, this one redirect URI and no owner. */
  temporaryClients(wanted: { name: string; redirectUri: string; before: Timestamp }): Promise<string[]>;
}

/** Writes about an application that exists for one check of `doctor`. They leave nothing in the audit log. */
export interface TemporaryClientWrites {
  addTemporaryClient(client: Client): Promise<void>;
  /** Deletes an application without owner. Fails if a member has a grant or tokens of it. */
  deleteTemporaryClient(clientId: string): Promise<void>;
}

export interface ClientReads {
  findClient(id: string): Promise<Client | undefined>;
  clientsOf(ownerId: number): Promise<Client[]>;
  /** The active applications that were registered first. */
  oldestClients(most: number): Promise<Client[]>;
  /** Newest first: the applications that are older than the one with the id `before`. */
  clientsBefore(before: string | undefined, limit: number): Promise<OwnedClient[]>;
}

export interface ClientWrites {
  addClient(by: Doer, client: Client): Promise<void>;
  /** False if there is no such confidential client. */
  replaceClientSecret(by: Doer, clientId: string, secretDigest: string): Promise<boolean>;
  /** False if there is no such client. Setting the status that it already has is no error. */
  setClientStatus(by: Doer, clientId: string, status: Client['status']): Promise<boolean>;
  /** False if there is no such client. */
  setIntroduction(by: Doer, clientId: string, introduction: Introduction): Promise<boolean>;
}
