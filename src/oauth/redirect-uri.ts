// Callback addresses: which can be registered, and the comparison that decides where the browser goes.

/**
 * Report whether the address equals a registered one exactly, so that no two parsers can disagree about it
 * (spec §4.1, RFC 9700 §4.1.3). Loopback ports must match too: the spec rules out RFC 8252 §7.3.
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  return registered.includes(redirectUri);
}

/** Explain why an address can't be registered. Undefined if it can (RFC 9700 §2.6, RFC 8252 §7). */
export function problemWithRedirectUri(redirectUri: string): string | undefined {
  if (redirectUri.length > 2048) return 'The address is longer than 2048 characters.';
  if (/[^\x21-\x7E]/.test(redirectUri)) {
    return 'The address contains a space, a control character or a character outside ASCII; encode it.';
  }
  if (/[\\*<>"`{}|^]/.test(redirectUri))
    return 'The address contains a character that must be encoded, or a wildcard.';
  const url = URL.parse(redirectUri);
  if (url === null) return 'The address is not an absolute URL.';
  if (redirectUri.includes('#'))
    return 'The address has a fragment (#), which the application never receives.';
  if (url.username !== '' || url.password !== '') return 'The address contains a user name or password.';
  const schemeProblem = problemWithScheme(url);
  if (schemeProblem !== undefined) return schemeProblem;
  // One spelling only, so that members see, and the server compares, the address that the browser opens.
  if (redirectUri !== url.href && `${redirectUri}/` !== url.href) return `Write the address as ${url.href}`;
  for (const name of url.searchParams.keys()) {
    if (RESPONSE_PARAMETERS.has(name))
      return `The address has a parameter ${name}, which the authorization response adds itself.`;
  }
  return undefined;
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

function problemWithScheme(url: URL): string | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:') {
    return isLoopback(url.hostname) ? undefined : 'Use https. Only a loopback address can use http.';
  }
  // RFC 8252 §7.1: a private-use scheme is a reversed domain name, so it contains a dot.
  if (/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) return undefined;
  return 'Use https, or for an installed application a private-use scheme such as com.example.app.';
}
