// How the columns of this room's tables differ from the fields of its records.

interface Columns {
  scopes: string;
  digest: Uint8Array;
  refreshDigest: Uint8Array;
  previousDigest: Uint8Array | undefined;
  presentedDigest: Uint8Array;
  nextDigest: Uint8Array;
  secretDigest: Uint8Array | undefined;
  redirectUris: string;
  postLogoutRedirectUris: string;
  acceptsMissingStateAndNonce: number;
  publicJwk: string;
  privateJwk: string;
}

/** A record as its row has it. */
export type Stored<R> = { [K in keyof R]: K extends keyof Columns ? Columns[K] : R[K] };
