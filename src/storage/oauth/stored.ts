// How the columns of these tables differ from the fields of their records.

interface Columns {
  scopes: string;
  requiredScopes: string;
  scopeReasons: string;
  addresses: string;
  digest: Uint8Array;
  refreshDigest: Uint8Array;
  previousDigest: Uint8Array | undefined;
  presentedDigest: Uint8Array;
  nextDigest: Uint8Array;
  secretDigest: Uint8Array | undefined;
  previousSecretDigest: Uint8Array | undefined;
  redirectUris: string;
  postLogoutRedirectUris: string;
  acceptsMissingStateAndNonce: number;
  isLogoApproved: number;
  publicJwk: string;
  privateJwk: string;
}

/** A record in the form of its row. */
export type Stored<R> = { [K in keyof R]: K extends keyof Columns ? Columns[K] : R[K] };
