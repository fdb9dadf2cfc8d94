// The signature algorithms of id_tokens.

/** RS256 is the default; an application can be registered for ES256. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256'] as const;

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];
