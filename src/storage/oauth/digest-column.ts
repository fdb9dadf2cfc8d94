// Digests in a column: the 32 bytes themselves. Records contain them as base64url, which is cheaper to
// compare.

export function digestColumn(digest: string): Uint8Array {
  return Buffer.from(digest, 'base64url');
}

export function digestOfColumn(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
