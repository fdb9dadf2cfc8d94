// Sign members of a Portico community in, and read what they allow. Runs in Node, browsers, Deno and Bun.

export type { Problem } from './answers.ts';
export {
  Api,
  apiWithToken,
  type CallOptions,
  instantOf,
  type PageOptions,
  type Post,
  type PostPage,
  type Profile,
  type ServiceInfo,
  type TokenSource,
} from './api.ts';
export { PorticoApplication } from './application.ts';
export { type ErrorDetails, PorticoError, type Reason } from './errors.ts';
export type { Fetch, Wait } from './patient-fetch.ts';
export type { SignInAttempt, SignInOptions } from './protocol.ts';
export { Session } from './session.ts';
export type { ApplicationSettings, ServerSettings } from './settings.ts';
export { type Claims, memoryStore, oneAtATime, type SavedTokens, type TokenStore } from './store.ts';
