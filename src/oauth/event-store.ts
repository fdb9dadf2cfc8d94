// The port for events for applications: their endpoints, and the events that wait to be delivered. The acts that
// cause events add them in their own transactions.

import type { Doer } from '../audit/doer.ts';
import type { Timestamp } from '../lib/clock.ts';
import type { ScopeSet } from './scope.ts';

/** Webhooks (Standard Webhooks), or logout tokens (OpenID Connect Back-Channel Logout). */
export type EndpointKind = 'webhook' | 'logout';

export type WebhookType = 'access.ended' | 'access.narrowed' | 'access.paused' | 'access.resumed';

/** Where an application receives events: at most one address of each kind. */
export interface EventEndpoint {
  clientId: string;
  kind: EndpointKind;
  url: string;
  /** The secret that signs webhooks. Undefined for logout tokens, which the server's keys sign. */
  secret: string | undefined;
  /** The secret before the last rotation. It signs too until `previousUntil`. */
  previousSecret: string | undefined;
  previousUntil: Timestamp | undefined;
  /** The first failed attempt since the last one that succeeded. */
  failingSince: Timestamp | undefined;
  /** Why the last attempt failed. Undefined after one that succeeded. */
  problem: string | undefined;
  /** When the server turned it off. No events are added from then on. */
  disabledAt: Timestamp | undefined;
}

/** An endpoint, with how many of its events wait, and how many were given up and are kept for operators. */
export interface EndpointState extends EventEndpoint {
  waiting: number;
  givenUp: number;
}

export interface ApplicationEvent {
  id: number;
  clientId: string;
  kind: EndpointKind;
  userId: number;
  type: WebhookType | 'logout';
  /** What the application may read after the event. */
  scopes: ScopeSet;
  /** Whether the application must delete what it keeps about the member. */
  deletesData: boolean;
  at: Timestamp;
  /** How many attempts have begun. */
  attempts: number;
  nextAttemptAt: Timestamp;
}

/** A failed attempt to deliver an event. */
export interface FailedDelivery {
  event: ApplicationEvent;
  at: Timestamp;
  problem: string;
}

/** Consents to an application that ended by themselves in this time. */
export interface EndedConsents {
  clientId: string;
  /** Not included. */
  after: Timestamp;
  until: Timestamp;
}

export interface EventReads {
  eventEndpoint(clientId: string, kind: EndpointKind): Promise<EventEndpoint | undefined>;
  endpointStates(clientId: string): Promise<EndpointState[]>;
  /** The endpoints that are turned on and have events that are due. */
  endpointsDue(now: Timestamp): Promise<EventEndpoint[]>;
  /** Events that are due, longest waiting first. Of each member only the oldest that waits. */
  eventsDue(endpoint: EventEndpoint, now: Timestamp, most: number): Promise<ApplicationEvent[]>;
  /** For each application with a webhook, the consents that have ended since it was last told. */
  endedConsents(now: Timestamp): Promise<EndedConsents[]>;
}

/** Members can change only the endpoints of their own applications, and no one those of a deleted application. */
export interface EventWrites {
  /** Adds the endpoint, or replaces its address and turns it on. The secret stays. False if that is not possible. */
  setEventEndpoint(
    by: Doer,
    endpoint: Pick<EventEndpoint, 'clientId' | 'kind' | 'url' | 'secret'>,
  ): Promise<boolean>;
  /** Deletes the endpoint with all its events. False if there is none. */
  removeEventEndpoint(by: Doer, clientId: string, kind: EndpointKind): Promise<boolean>;
  /** The secret until now signs too until `previousUntil`. False if the application has no webhook. */
  replaceWebhookSecret(
    by: Doer,
    clientId: string,
    secret: string,
    previousUntil: Timestamp,
  ): Promise<boolean>;
  /** Reserves an event for the caller until this moment. Of parallel calls only one returns true. */
  claimEvent(event: ApplicationEvent, until: Timestamp): Promise<boolean>;
  /** Deletes a delivered event. */
  removeEvent(event: ApplicationEvent): Promise<void>;
  /** Tries again at `until`. The member's later events wait as well. */
  postponeEvent(failure: FailedDelivery, until: Timestamp): Promise<void>;
  /** The event is not tried again. It stays to be counted until it is purged, as the newest 1,000 of an endpoint do. */
  giveUpEvent(failure: FailedDelivery): Promise<void>;
  /** Turns the endpoint off, gives up all its events, and mails the owner of the application. */
  disableEndpoint(failure: FailedDelivery): Promise<void>;
  /** Adds an event for each of these consents. */
  addEndsOfConsents(ended: EndedConsents): Promise<void>;
}
