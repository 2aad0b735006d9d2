/** The checksum of an output descriptor: eight characters after a `#` that catch slips in copying it (BIP 380). */
import { descriptorError } from './descriptorError.ts';

/**
 * The checksum of a descriptor's text, which must not carry one yet.
 * Throws AppError `bad_input` when the text holds a character that no descriptor may hold.
 */
export function descriptorChecksum(text: string): string {
  let state = 1n;
  let groups = 0;
  let grouped = 0;
  for (const character of text) {
    const place = PAYLOAD_CHARACTERS.indexOf(character);
    if (place < 0) throw descriptorError('The descriptor holds a character that descriptors cannot hold.');
    state = step(state, place & 31);
    groups = groups * 3 + (place >> 5);
    grouped += 1;
    if (grouped === 3) {
      state = step(state, groups);
      groups = 0;
      grouped = 0;
    }
  }
  if (grouped > 0) state = step(state, groups);
  for (let i = 0; i < CHECKSUM_LENGTH; i++) state = step(state, 0);
  state ^= 1n;
  let checksum = '';
  for (let shift = 35n; shift >= 0n; shift -= 5n) {
    checksum += CHECKSUM_CHARACTERS.charAt(Number((state >> shift) & 31n));
  }
  return checksum;
}

/** The text with its checksum: `TEXT#CHECKSUM`. Throws as `descriptorChecksum` does. */
export function withChecksum(text: string): string {
  return `${text}#${descriptorChecksum(text)}`;
}

/**
 * The text without its checksum, once that is proved. A checksum that is there must hold in any case;
 * `required` tells whether it must be there. Throws AppError `bad_input`.
 */
export function withoutChecksum(text: string, presence: 'required' | 'optional'): string {
  const [body = '', checksum, ...more] = text.split('#');
  if (more.length > 0) throw descriptorError('The descriptor has more than one “#”.');
  if (checksum === undefined) {
    if (presence === 'required') {
      throw descriptorError('The descriptor has no checksum (“#” and eight characters at its end).');
    }
    descriptorChecksum(body);
    return body;
  }
  if (checksum.length !== CHECKSUM_LENGTH) {
    throw descriptorError(
      `The descriptor's checksum has ${checksum.length} characters; it must have ${CHECKSUM_LENGTH}.`,
    );
  }
  if (descriptorChecksum(body) !== checksum) {
    throw descriptorError(
      "The descriptor's checksum does not match: it was changed or copied with an error.",
    );
  }
  return body;
}

const CHECKSUM_LENGTH = 8;

/** Three groups of 32, so ordered that a wrong case or a wrong hex digit disturbs a single symbol (BIP 380). */
const PAYLOAD_CHARACTERS =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';

const CHECKSUM_CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

/** The generator times 1, 2, 4, 8 and 16, without its leading term (BIP 380). */
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

function step(state: bigint, symbol: number): bigint {
  const top = state >> 35n;
  let next = ((state & 0x7ffffffffn) << 5n) ^ BigInt(symbol);
  for (const [bit, term] of GENERATOR.entries()) {
    if ((top >> BigInt(bit)) & 1n) next ^= term;
  }
  return next;
}
