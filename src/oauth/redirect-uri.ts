// Callback addresses: what may be registered, and the one comparison that decides where a browser is sent.

/**
 * Reports whether the address is one of the registered ones: the same text, character by character (spec §4.1,
 * RFC 9700 §4.1.3). Nothing is parsed or normalised, so no two programs can read the same address differently. The
 * port of a loopback address is compared too: spec §4.1 names it, which leaves no room for RFC 8252 §7.3.
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  return registered.includes(redirectUri);
}

/** Says in one sentence why an address can't be registered, or undefined if it can (RFC 9700 §2.6, RFC 8252 §7). */
export function problemWithRedirectUri(redirectUri: string): string | undefined {
  if (redirectUri.length > 2048) return 'The address is longer than 2048 characters.';
  if (/[^\x21-\x7E]/.test(redirectUri)) {
    return 'The address contains a space, a control character or a character outside ASCII; encode it.';
  }
  if (/[\\*<>"`{}|^]/.test(redirectUri))
    return 'The address contains a character that must be encoded, or a wildcard.';
  const url = URL.parse(redirectUri);
  if (url === null) return 'The address is not an absolute URL.';
  if (redirectUri.includes('#')) return 'The address has a fragment (#), which a callback can never receive.';
  if (url.username !== '' || url.password !== '' || authorityOf(redirectUri).includes('@')) {
    return 'The address contains a user name or password.';
  }
  const schemeProblem = problemWithScheme(url);
  if (schemeProblem !== undefined) return schemeProblem;
  // Written in one way only, so that what is shown and compared is what a browser will open.
  if (redirectUri !== url.href && `${redirectUri}/` !== url.href) return `Write the address as ${url.href}`;
  for (const name of url.searchParams.keys()) {
    if (RESPONSE_PARAMETERS.has(name))
      return `The address has a parameter ${name}, which the answer itself carries.`;
  }
  return undefined;
}

/**
 * Reports whether any program on the member's device could receive what is sent to the address: a loopback address or
 * a private-use scheme (RFC 8252 §8.6). Such a callback says nothing about who asks.
 */
export function isSharedByDevice(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url === null || isLoopback(url.hostname) || !['https:', 'http:'].includes(url.protocol);
}

/** Reports whether the host is this machine itself (RFC 8252 §7.3, and the name `localhost`). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
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

function problemWithScheme(url: URL): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isLoopback(url.hostname) ? undefined : 'Use https; http is for addresses on the own machine only.';
  }
  // RFC 8252 §7.1: a private-use scheme is a domain name turned round, so it has a dot.
  if (/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return 'Use https, or for an installed application a scheme of its own such as com.example.app.';
}

function authorityOf(redirectUri: string): string {
  return /^[^:]+:\/\/([^/?#]*)/.exec(redirectUri)?.[1] ?? '';
}
