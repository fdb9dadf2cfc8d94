// Counts very many texts, with a few bytes of memory for each.

import { hash } from 'node:crypto';

const FIRST_SLOTS = 1 << 12;

/** Counts texts by 48 bits of their digest. Among ten million texts, two with the same bits are unlikely. */
export class DigestTable {
  // A hash table with open addressing, at most half full. The key 0 marks a free slot.
  private keys = new Float64Array(FIRST_SLOTS);
  private counts = new Uint32Array(FIRST_SLOTS);
  private usedSlots = 0;

  count(text: string): number {
    return this.counts[this.slotOf(keyOf(text))] as number;
  }

  /** Count the text once more and return the new count. */
  add(text: string): number {
    const key = keyOf(text);
    const slot = this.slotOf(key);
    const count = (this.counts[slot] as number) + 1;
    this.keys[slot] = key;
    this.counts[slot] = count;
    if (count === 1) {
      this.usedSlots += 1;
      if (this.usedSlots * 2 > this.keys.length) this.grow();
    }
    return count;
  }

  // The slot of the key, or the free slot where the key belongs.
  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = key % this.keys.length;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = slot === last ? 0 : slot + 1;
    return slot;
  }

  private grow(): void {
    const { keys, counts } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    for (const [index, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.counts[slot] = counts[index] as number;
    }
  }
}

function keyOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) || 1;
}
