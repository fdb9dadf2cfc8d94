// The port for registered applications.

import type { Doer, MemberDoer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { ClientNumbersReads, ClientNumbersWrites } from './client-numbers-store.ts';
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
  /** What it is for, in one sentence. Empty if nobody wrote it. */
  description: string;
}

/**
 * Why an application is deactivated: its owner or the operators did so, its owner is suspended, it waits for the
 * operators' approval, they refused it, or it was deleted, for good.
 */
export type Deactivation = 'owner' | 'suspension' | 'operators' | 'approval' | 'refused' | 'deleted';

/** The secrets of a confidential application. After a replacement, the one before is accepted for a while. */
export interface ClientSecrets {
  secretDigest: string | undefined;
  /** The last characters, by which its owner recognises it. Undefined for old ones. */
  secretEnding: string | undefined;
  secretAddedAt: Timestamp | undefined;
  previousSecretDigest: string | undefined;
  previousSecretEnding: string | undefined;
  previousSecretUntil: Timestamp | undefined;
}

/** Facts that only the owner and the operators care about. */
export interface ClientManagement {
  /** Undefined if it is active, and for applications that operators deactivated long ago. */
  deactivation: Deactivation | undefined;
  /** When its owner wants it to be deleted, or when it was. */
  deleteAt: Timestamp | undefined;
  /** The member who is to own it, if they accept in time. */
  transferTo: number | undefined;
  transferUntil: Timestamp | undefined;
  /** The name before it was renamed. Of several in 30 days, the first. */
  formerName: string | undefined;
  renamedAt: Timestamp | undefined;
  /** Since when its owner has it, if it had another one or none before. */
  ownerSince: Timestamp | undefined;
  /** The digest of its logo. */
  logo: string | undefined;
  /** Whether an operator approved this very logo, for this name and this owner. Members see no other. */
  isLogoApproved: boolean;
  /** When operators approved it as members see it now, or its logo. Undefined if they did not. */
  approvedAt: Timestamp | undefined;
  /** Why operators refused the application. */
  reviewNote: string | undefined;
}

/** What only an application has that describes itself in a document on its own site, instead of being registered. */
export interface ClientDocumentFacts {
  /** The address of the document, which it sends as its `client_id`. */
  documentUrl: string | undefined;
  /** When the server must read the document again. */
  documentFreshUntil: Timestamp | undefined;
  /** What it calls itself. Its `name` is the host of its document, which it can't choose freely. */
  claimedName: string | undefined;
}

/** A third-party application. Pages call it "application". */
export interface Client extends Introduction, ClientSecrets, ClientManagement, ClientDocumentFacts {
  id: string;
  name: string;
  /** A public client can't keep a secret (RFC 6749 §2.1) and must use PKCE. */
  kind: 'confidential' | 'public';
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

/** What its owner can change at any time. */
export type ClientSettings = Pick<
  Client,
  'name' | 'scopes' | 'redirectUris' | 'postLogoutRedirectUris' | keyof Introduction
>;

/** The settings against which a change is judged. */
export type SeenClient = Pick<Client, 'id' | keyof ClientSettings>;

/** An application with the username of its owner, if a member owns it. */
export interface OwnedClient {
  client: Client;
  ownerName: string | undefined;
}

export interface ClientOwnershipReads {
  /** The applications that others want to give to a member. */
  clientsOfferedTo(userId: number, now: Timestamp): Promise<OwnedClient[]>;
  /** The ids of applications whose deletion is due. */
  clientsToDelete(now: Timestamp, most: number): Promise<string[]>;
}

export interface ClientOwnershipWrites {
  /** Plans the deletion, or cancels it. False if there is no such client, or nothing to change. */
  planDeletion(by: Doer, clientId: string, deleteAt: Timestamp | undefined): Promise<boolean>;
  /**
   * Erases what is registered, and refuses its tokens for good. Members still see that they allowed it. `isDue`: only
   * if its deletion is due. False if there is no such client.
   */
  deleteClient(by: Doer, clientId: string, isDue: boolean): Promise<boolean>;
  /** Offers the application to another active member, or takes the offer back. False if that is not possible. */
  offerClient(
    by: Doer,
    clientId: string,
    to: number | undefined,
    until: Timestamp | undefined,
  ): Promise<boolean>;
  /** False if it isn't offered to the member, has changed since it was seen, or if they already have `most`. */
  acceptClient(by: MemberDoer, seen: Client, most: number): Promise<boolean>;
  declineClient(by: MemberDoer, clientId: string): Promise<boolean>;
  /** False if there is no such client. */
  setOwner(by: Doer, clientId: string, ownerId: number): Promise<boolean>;
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
  /** Finds an application by its id, or by the address of its document. */
  findClient(id: string): Promise<Client | undefined>;
  /** Reports whether operators deactivated or refused an application with a document on this host. */
  isRefusedHost(host: string): Promise<boolean>;
  clientsOf(ownerId: number): Promise<Client[]>;
  /** Newest first: the applications that are older than the one with the id `before`. */
  clientsBefore(before: string | undefined, limit: number): Promise<OwnedClient[]>;
}

/**
 * What a change does to an approval: nothing; it ends it; or it also deactivates the application until operators
 * approve it again.
 */
export type ApprovalAfterChange = 'kept' | 'ended' | 'needed';

/**
 * Members can change only their own applications, and no one can change a deleted one: for them, it is as if there were
 * no such client.
 */
export interface ClientWrites {
  addClient(by: Doer, client: Client): Promise<void>;
  /** Adds an application of a member who then has at most `most`. 'exists' if there is one with the id. */
  addOwnClient(by: MemberDoer, client: Client, most: number): Promise<'added' | 'too_many' | 'exists'>;
  /** The present secret is accepted until `previousUntil`. False if there is no such confidential client. */
  replaceClientSecret(
    by: Doer,
    clientId: string,
    secret: { digest: string; ending: string },
    previousUntil: Timestamp | undefined,
  ): Promise<boolean>;
  /** False if there is no secret before the present one. */
  endPreviousSecret(by: Doer, clientId: string): Promise<boolean>;
  /**
   * False if there is no such client. Setting the status that it already has is no error. What operators decide about
   * an application with a document, they decide about its host: the others there follow. False, too, if it is no
   * longer as it was `seen`.
   */
  setClientStatus(by: Doer, clientId: string, status: Client['status'], seen?: Client): Promise<boolean>;
  /** `changed` names what is new, for the logs. False if there is no such client, or if it is no longer as `seen`. */
  changeClient(
    by: Doer,
    seen: SeenClient,
    settings: ClientSettings,
    changed: readonly string[],
    approval: ApprovalAfterChange,
  ): Promise<boolean>;
}

/** What a document says about its application. */
export interface DescribedClient extends Pick<Client, 'scopes' | 'redirectUris'> {
  claimedName: string;
}

/** What the document said before, against which a change is judged. */
export type SeenDocument = Pick<Client, 'id' | 'scopes' | 'redirectUris' | 'claimedName'>;

export interface ClientDocumentWrites {
  /**
   * Adds an application with a document, of which there are then at most `most`. The oldest that no member has allowed
   * makes room. 'refused' if operators deactivated or refused one of the same host.
   */
  addDocumentClient(
    by: MemberDoer,
    client: Client,
    most: number,
  ): Promise<'added' | 'too_many' | 'exists' | 'refused'>;
  /** `changed` names what is new, for the logs. False if there is none, or if it is no longer as it was `seen`. */
  updateDocumentClient(
    by: Doer,
    seen: SeenDocument,
    described: DescribedClient,
    freshUntil: Timestamp,
    changed: readonly string[],
    approval: ApprovalAfterChange,
  ): Promise<boolean>;
  /** Counts the document as fresh until this time at most. */
  outdateDocument(clientId: string, freshUntil: Timestamp): Promise<void>;
}

/** All reads about applications. */
export interface EveryClientRead
  extends ClientReads,
    ClientOwnershipReads,
    ClientNumbersReads,
    TemporaryClientReads {}

/** All writes about applications. */
export interface EveryClientWrite
  extends ClientWrites,
    ClientOwnershipWrites,
    ClientNumbersWrites,
    ClientDocumentWrites,
    TemporaryClientWrites {}
