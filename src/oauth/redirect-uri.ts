// Callback addresses: which can be registered, and the comparison that decides where the browser goes.

/**
 * Report whether the address equals a registered one exactly, so that no two parsers can disagree about it
 * (spec §4.1, RFC 9700 §4.1.3). Loopback ports must match too: the spec rules out RFC 8252 §7.3.
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  return registered.includes(redirectUri);
}

/** Why an address can't be registered. */
export type RedirectUriProblem =
  | 'too_long'
  | 'not_ascii'
  | 'wildcard'
  | 'not_absolute'
  | 'fragment'
  | 'user'
  | 'http'
  | 'scheme'
  | 'spelling'
  | 'parameter';

/** Explain why an address can't be registered. Undefined if it can. */
export function problemWithRedirectUri(redirectUri: string): string | undefined {
  const problem = redirectUriProblem(redirectUri);
  if (problem === 'spelling') return `${SENTENCES.spelling} ${canonicalRedirectUri(redirectUri)}`;
  if (problem === 'parameter') {
    const name = reservedParameter(redirectUri);
    return `The address has a parameter ${name}, which the authorization response adds itself.`;
  }
  return problem && SENTENCES[problem];
}

/** The rule that an address breaks. Undefined if it can be registered (RFC 9700 §2.6, RFC 8252 §7). */
export function redirectUriProblem(redirectUri: string): RedirectUriProblem | undefined {
  if (redirectUri.length > 2048) return 'too_long';
  if (/[^\x21-\x7E]/.test(redirectUri)) return 'not_ascii';
  if (/[\\*<>"`{}|^]/.test(redirectUri)) return 'wildcard';
  const url = URL.parse(redirectUri);
  if (url === null) return 'not_absolute';
  if (redirectUri.includes('#')) return 'fragment';
  if (url.username !== '' || url.password !== '') return 'user';
  const schemeProblem = problemWithScheme(url);
  if (schemeProblem !== undefined) return schemeProblem;
  // One spelling only, so that members see, and the server compares, the address that the browser opens.
  if (redirectUri !== url.href && `${redirectUri}/` !== url.href) return 'spelling';
  return reservedParameter(redirectUri) === undefined ? undefined : 'parameter';
}

/** The spelling of an address that can be registered. */
export function canonicalRedirectUri(redirectUri: string): string {
  return URL.parse(redirectUri)?.href ?? redirectUri;
}

/** The parameter of an address that the authorization response adds itself. Undefined if it has none. */
export function reservedParameter(redirectUri: string): string | undefined {
  const names = URL.parse(redirectUri)?.searchParams.keys() ?? [];
  return [...names].find((name) => RESPONSE_PARAMETERS.has(name));
}

/**
 * Report whether any program on the member's device could receive the answer: at a loopback address or
 * through a private-use scheme (RFC 8252 §8.6). Such a callback doesn't identify the application.
 */
export function isSharedByDevice(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url === null || isLoopback(url.hostname) || url.protocol !== 'https:';
}

/** Report whether the host of a parsed URL is a loopback address (RFC 8252 §7.3) or the name `localhost`. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

const RESPONSE_PARAMETERS = new Set([
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
  'iss',
  'response',
]);

const SENTENCES: Record<Exclude<RedirectUriProblem, 'parameter'>, string> = {
  too_long: 'The address is longer than 2048 characters.',
  not_ascii: 'The address contains a space, a control character or a character outside ASCII; encode it.',
  wildcard: 'The address contains a character that must be encoded, or a wildcard.',
  not_absolute: 'The address is not an absolute URL.',
  fragment: 'The address has a fragment (#), which the application never receives.',
  user: 'The address contains a user name or password.',
  http: 'Use https. Only a loopback address can use http.',
  scheme: 'Use https, or for an installed application a private-use scheme such as com.example.app.',
  spelling: 'Write the address as',
};

function problemWithScheme(url: URL): 'http' | 'scheme' | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') return isLoopback(url.hostname) ? undefined : 'http';
  // RFC 8252 §7.1: a private-use scheme is a reversed domain name, so it contains a dot.
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol) ? undefined : 'scheme';
}
