// Digests in a column: the 32 bytes themselves. Everywhere else they are texts, which cost less to compare and to keep.

export function digestColumn(digest: string): Uint8Array {
  return Buffer.from(digest, 'base64url');
}

export function digestOfColumn(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}
