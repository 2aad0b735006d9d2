/** The checksum of an output descriptor: eight characters after a `#` that catch copying errors (BIP 380). */
import { descriptorError } from './descriptor.ts';

/** The checksum of a descriptor's text, which must not have one yet. Throws `bad_input` for a character that no descriptor allows. */
export function descriptorChecksum(text: string): string {
  const state = new State();
  let groups = 0;
  let grouped = 0;
  for (let at = 0; at < text.length; at += 1) {
    const place = INDEXES[text.charCodeAt(at)] ?? NO_INDEX;
    if (place === NO_INDEX) {
      throw descriptorError({ code: 'descriptor_character_invalid' });
    }
    state.take(place & 31);
    groups = groups * 3 + (place >> 5);
    grouped += 1;
    if (grouped < 3) continue;
    state.take(groups);
    groups = 0;
    grouped = 0;
  }
  if (grouped > 0) state.take(groups);
  return state.end();
}

/** The text with its checksum: `TEXT#CHECKSUM`. Throws as `descriptorChecksum` does. */
export function withChecksum(text: string): string {
  return `${text}#${descriptorChecksum(text)}`;
}

/** The text without its checksum. Throws `bad_input` for a wrong checksum, and for a missing one if it is required. */
export function withoutChecksum(text: string, presence: 'required' | 'optional'): string {
  const [body = '', checksum, ...more] = text.split('#');
  if (more.length > 0) throw descriptorError({ code: 'descriptor_checksum_repeated' });
  if (checksum === undefined) {
    if (presence === 'required') {
      throw descriptorError({ code: 'descriptor_checksum_missing' });
    }
    descriptorChecksum(body);
    return body;
  }
  if (descriptorChecksum(body) !== checksum) {
    throw descriptorError({ code: 'descriptor_checksum_wrong' });
  }
  return body;
}

const CHECKSUM_LENGTH = 8;

/** Three groups of 32, ordered so that a wrong case or hex digit changes a single symbol (BIP 380). */
const PAYLOAD_CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';

const CHECKSUM_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The index of each character among BIP 380's, by its code. */
const NO_INDEX = 0xff;
const INDEXES = new Uint8Array(128).fill(NO_INDEX);
for (const [place, character] of [...PAYLOAD_CHARACTERS].entries()) INDEXES[character.charCodeAt(0)] = place;

/** The checksum's 40 bits of state, in two halves, because bigints take twenty times as long and wallets have many descriptors. */
class State {
  private high = 0;
  private low = 1;

  take(symbol: number): void {
    const top = this.high >> 15;
    this.high = (((this.high & 0x7fff) << 5) | (this.low >> 15)) ^ (HIGH[top] ?? 0);
    this.low = ((this.low & 0x7fff) << 5) ^ symbol ^ (LOW[top] ?? 0);
  }

  end(): string {
    for (let i = 0; i < CHECKSUM_LENGTH; i += 1) this.take(0);
    this.low ^= 1;
    let checksum = '';
    for (const half of [this.high, this.low]) {
      for (let shift = 15; shift >= 0; shift -= 5) {
        checksum += CHECKSUM_CHARACTERS.charAt((half >> shift) & 31);
      }
    }
    return checksum;
  }
}

/** The generator times 1, 2, 4, 8 and 16, without its leading term (BIP 380), cut in halves. */
const GENERATOR = [
  [0xf5dee, 0x51989],
  [0xa9fdc, 0xa3312],
  [0x1bab1, 0x0e32d],
  [0x3706b, 0x1677a],
  [0x644d6, 0x26ffd],
] as const;

/** What the five bits that leave the state add to each half. */
const HIGH = new Int32Array(32);
const LOW = new Int32Array(32);
for (let top = 0; top < 32; top += 1) {
  for (const [bit, [high, low]] of GENERATOR.entries()) {
    if (((top >> bit) & 1) === 0) continue;
    HIGH[top] = (HIGH[top] ?? 0) ^ high;
    LOW[top] = (LOW[top] ?? 0) ^ low;
  }
}
