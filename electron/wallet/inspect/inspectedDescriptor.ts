/** A descriptor wallet's descriptors for showing: public, as `listdescriptors` prints them. */
import type { InspectedDescriptor } from '../../../shared/inspection.ts';
import type { Listed } from '../../../shared/shapes.ts';
import { listed } from '../bytes/shown.ts';
import { isRanged } from '../descriptor/descriptor.ts';
import { writeNormalised, writePublic } from '../descriptor/descriptorWrite.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';

export function inspectedDescriptors(descriptors: readonly StoredDescriptor[]): Listed<InspectedDescriptor> {
  const found = descriptors.map(inspectedDescriptor);
  found.sort((a, b) => ((a.text ?? '') < (b.text ?? '') ? -1 : 1));
  return listed(found, (descriptor) => descriptor);
}

export function inspectedDescriptor(stored: StoredDescriptor): InspectedDescriptor {
  const { record, active, read } = stored;
  const ranged = read.as === 'read' ? isRanged(read.descriptor) : record.rangeEnd > record.rangeStart + 1;
  return {
    text: shownPublicText(stored),
    active: active !== null,
    internal: active?.internal ?? null,
    addressType: active?.addressType ?? null,
    range: ranged ? [record.rangeStart, record.rangeEnd - 1] : null,
    next: ranged ? record.nextIndex : null,
    created: record.createTime,
  };
}

/** No script of more than 10,000 bytes can be paid to and spent: a longer text was made to fill the screen. */
const LONGEST_TEXT = 40_000;

function shownPublicText(stored: StoredDescriptor): string | null {
  const text = publicText(stored);
  return text !== null && text.length > LONGEST_TEXT ? null : text;
}

/** Null for what is damaged, and for a text that may have a private key in it. */
function publicText({ record, read, sources }: StoredDescriptor): string | null {
  if (read.as === 'damaged') return null;
  if (read.as === 'unsupported') return MAYBE_PRIVATE.test(record.descriptor) ? null : record.descriptor;
  try {
    return writeNormalised(read.descriptor, sources(null));
  } catch {
    // The node after the last hardened step is neither cached nor to be derived without the passphrase.
    return writePublic(read.descriptor);
  }
}

/** Extended private keys, and what is as long as a private key in the import format. */
const MAYBE_PRIVATE = /[a-z]prv|(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{51,52}(?![1-9A-HJ-NP-Za-km-z])/;
