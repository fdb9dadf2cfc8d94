// The tables as the query builder sees them. The migrations create them and explain them.

import type { Generated } from 'kysely';
import type { AuditAction, AuditSubjectKind } from '../../audit/audit-log.ts';
import type { Timestamp } from '../../lib/clock.ts';

/** 0 or 1: neither database's driver has to translate it. */
type Truth = number;
/** A JSON array of strings. */
type JsonList = string;

export interface Schema {
  migrations: { name: string; applied_at: Timestamp };
  users: {
    id: Generated<number>;
    username: string;
    username_key: string;
    email: string | null;
    email_key: string | null;
    password_hash: string;
    bio: Generated<string>;
    status: Generated<'active' | 'suspended' | 'closed'>;
    is_operator: Generated<Truth>;
    member_until: Timestamp | null;
    xp: Generated<number>;
    avatar: string | null;
    created_at: Timestamp;
  };
  locks: { name: string; taken: number };
  sessions: {
    key: string;
    digest: Uint8Array;
    user_id: number;
    authenticated_at: Timestamp;
    last_seen_at: Timestamp;
    expires_at: Timestamp;
  };
  attempts: { subject: string; judged: number; closes_at: Timestamp };
  categories: { id: Generated<number>; slug: string; name: string };
  posts: {
    id: Generated<number>;
    user_id: number;
    category_id: number;
    status: 'draft' | 'published' | 'removed';
    title: string;
    body: string;
    excerpt: string;
    created_at: Timestamp;
    updated_at: Timestamp;
    published_at: Timestamp | null;
    removed_at: Timestamp | null;
    like_count: Generated<number>;
    comment_count: Generated<number>;
    view_count: Generated<number>;
    heat: Generated<number>;
    removed_by: number | null;
  };
  post_words: { post_id: number; words: string };
  /** Of the embedded database alone: its index of `post_words`. */
  post_search: { rowid: number; words: string };
  avatars: { user_id: number; version: string; image: Uint8Array; updated_at: Timestamp };
  comments: {
    id: Generated<number>;
    post_id: number;
    user_id: number;
    parent_id: number | null;
    status: Generated<'published' | 'removed'>;
    body: string;
    created_at: Timestamp;
    edited_at: Timestamp | null;
    removed_at: Timestamp | null;
    removed_by: number | null;
  };
  likes: { post_id: number; user_id: number; created_at: Timestamp };
  views: { post_id: number; day: number; visitor: string };
  notifications: {
    id: Generated<number>;
    user_id: number;
    kind: 'comment' | 'reply' | 'like' | 'removal';
    actor_id: number | null;
    post_id: number;
    comment_id: number | null;
    created_at: Timestamp;
    read_at: Timestamp | null;
  };
  reports: {
    id: Generated<number>;
    reporter_id: number;
    post_id: number;
    comment_id: number | null;
    reason: 'spam' | 'abuse' | 'illegal' | 'other';
    note: Generated<string>;
    created_at: Timestamp;
    resolved_at: Timestamp | null;
    resolved_by: number | null;
    resolution: 'removed' | 'kept' | null;
  };
  audit_events: {
    id: Generated<number>;
    at: Timestamp;
    actor_id: number | null;
    action: AuditAction;
    subject_kind: AuditSubjectKind;
    subject_id: string;
    /** A JSON object. */
    detail: Generated<string>;
  };
  invitations: {
    key: string;
    digest: Uint8Array;
    note: Generated<string>;
    created_by: number | null;
    created_at: Timestamp;
    expires_at: Timestamp;
    used_by: number | null;
    used_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
  mails: {
    id: Generated<number>;
    purpose: string;
    user_id: number;
    email: string;
    language: string;
    created_at: Timestamp;
    attempts: Generated<number>;
    next_attempt_at: Timestamp;
  };
  mail_tokens: {
    key: string;
    digest: Uint8Array;
    purpose: string;
    user_id: number;
    email: string;
    expires_at: Timestamp;
  };
  imported_records: { source: string; kind: string; external_id: string; local_id: number };
  clients: {
    id: string;
    name: string;
    kind: 'confidential' | 'public';
    secret_digest: Uint8Array | null;
    owner_id: number | null;
    scopes: string;
    redirect_uris: JsonList;
    post_logout_redirect_uris: JsonList;
    accepts_missing_state_and_nonce: Truth;
    id_token_alg: Generated<'RS256' | 'ES256'>;
    status: Generated<'active' | 'deactivated'>;
    created_at: Timestamp;
  };
  signing_keys: {
    kid: string;
    alg: 'RS256' | 'ES256';
    state: 'next' | 'active' | 'retired';
    public_jwk: string;
    private_jwk: string;
    created_at: Timestamp;
    activated_at: Timestamp | null;
    retired_at: Timestamp | null;
  };
  grants: {
    user_id: number;
    client_id: string;
    scopes: string;
    granted_at: Timestamp;
    last_authorized_at: Timestamp;
    withdrawn_at: Timestamp | null;
  };
  authorization_codes: {
    key: string;
    digest: Uint8Array;
    client_id: string;
    user_id: number;
    redirect_uri: string;
    scopes: string;
    code_challenge: string | null;
    nonce: string | null;
    authenticated_at: Timestamp;
    expires_at: Timestamp;
    redeemed_at: Timestamp | null;
    voided_at: Timestamp | null;
  };
  token_families: {
    key: string;
    client_id: string;
    user_id: number;
    scopes: string;
    nonce: string | null;
    authenticated_at: Timestamp;
    refresh_digest: Uint8Array;
    previous_digest: Uint8Array | null;
    rotated_at: Timestamp;
    refresh_expires_at: Timestamp;
    issued_at: Timestamp;
    expires_at: Timestamp;
    revoked_at: Timestamp | null;
  };
  access_tokens: {
    key: string;
    digest: Uint8Array;
    family_key: string;
    scopes: string;
    expires_at: Timestamp;
    revoked_at: Timestamp | null;
  };
  personal_tokens: {
    id: Generated<number>;
    key: string;
    digest: Uint8Array;
    ending: string;
    user_id: number;
    name: string;
    scopes: string;
    created_at: Timestamp;
    expires_at: Timestamp | null;
    last_used_at: Timestamp | null;
    revoked_at: Timestamp | null;
  };
}
