// A number for each of very many texts, such as how often it came, with a few bytes of memory for each.

import { hash } from 'node:crypto';

const FIRST_SLOTS = 1 << 12;

/** Knows texts by 48 bits of their digest. Among ten million texts, two with the same bits are unlikely. */
export class DigestTable {
  // A hash table with open addressing, at most half full. The key 0 marks a free slot.
  private keys = new Float64Array(FIRST_SLOTS);
  private numbers = new Uint32Array(FIRST_SLOTS);
  private usedSlots = 0;

  /** The text's number: 0 if it has none yet. */
  get(text: string): number {
    return this.numbers[this.slotOf(keyOf(text))] as number;
  }

  /** Count the text once more and return the new count. */
  add(text: string): number {
    const count = this.get(text) + 1;
    this.set(text, count);
    return count;
  }

  set(text: string, number: number): void {
    const key = keyOf(text);
    const slot = this.slotOf(key);
    const isNew = this.keys[slot] === 0;
    this.keys[slot] = key;
    this.numbers[slot] = number;
    if (!isNew) return;
    this.usedSlots += 1;
    if (this.usedSlots * 2 > this.keys.length) this.grow();
  }

  // The slot of the key, or the free slot where the key belongs.
  private slotOf(key: number): number {
    const last = this.keys.length - 1;
    let slot = key % this.keys.length;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = slot === last ? 0 : slot + 1;
    return slot;
  }

  private grow(): void {
    const { keys, numbers } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.numbers = new Uint32Array(keys.length * 2);
    for (const [index, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.numbers[slot] = numbers[index] as number;
    }
  }
}

function keyOf(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) || 1;
}
