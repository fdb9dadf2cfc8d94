// How often each of very many texts was met, in a few bytes for each.

import { hash } from 'node:crypto';

const FIRST_ROOM = 1 << 12;

/** Counts texts by 48 bits of their digest: two of ten million that are taken for one are unlikely. */
export class DigestTable {
  // 0: free. Ten bytes of room for each text, or a little more than twice that.
  private keys = new Float64Array(FIRST_ROOM);
  private counts = new Uint32Array(FIRST_ROOM);
  private filled = 0;

  /** How often the text was counted. */
  count(text: string): number {
    return this.counts[this.find(keyOf(text))] as number;
  }

  /** Counts the text once more, and tells how often it was counted. */
  add(text: string): number {
    const key = keyOf(text);
    const at = this.find(key);
    const count = (this.counts[at] as number) + 1;
    this.keys[at] = key;
    this.counts[at] = count;
    if (count === 1) {
      this.filled += 1;
      if (this.filled * 2 > this.keys.length) this.grow();
    }
    return count;
  }

  // Its place, or the free one where it would stand.
  private find(key: number): number {
    const last = this.keys.length - 1;
    let at = key % this.keys.length;
    while (this.keys[at] !== 0 && this.keys[at] !== key) at = at === last ? 0 : at + 1;
    return at;
  }

  private grow(): void {
    const { keys, counts } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    for (const [index, key] of keys.entries()) {
      if (key === 0) continue;
      const at = this.find(key);
      this.keys[at] = key;
      this.counts[at] = counts[index] as number;
    }
  }
}

function keyOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) || 1;
}
