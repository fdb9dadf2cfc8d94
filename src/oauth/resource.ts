// The resources that a token is for (RFC 8707, RFC 9728). Every token is for the whole service, so an application may
// name one of its resources, and gets no other token by doing so.

import { OAuthError } from './errors.ts';
import type { Form } from './form.ts';

/** The paths of the resources that take access tokens. */
export const RESOURCES = { api: '/api/open/v1', mcp: '/mcp' } as const;

/**
 * Throw `invalid_target` if the form names another resource (RFC 8707 §2): a token for that would be misused here, or
 * ours there. The service itself may be named too.
 */
export function checkResource(form: Form, issuer: string): void {
  const resource = form.get('resource');
  if (resource === undefined) return;
  const known = [issuer, ...Object.values(RESOURCES).map((path) => issuer + path)];
  if (known.includes(resource.replace(/\/$/, ''))) return;
  throw new OAuthError('invalid_target', `The resource must be one of ${known.join(', ')}.`);
}
