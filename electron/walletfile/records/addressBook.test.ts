import { expect, it } from 'vitest';
import { bytesOfText } from '../bytes/bytesOfText.ts';
import { entriesOf, walletNames } from '../testing/wallets.ts';
import { hasText, isAddressRecord, readAddress } from './addressBook.ts';
import { parseRecord } from './records.ts';

it.each(walletNames)('%s: entries of the address book are told at a glance', async (name) => {
  for (const entry of await entriesOf(name)) {
    const parsed = parseRecord(entry.key, entry.value);
    if (parsed.type !== 'name' && parsed.type !== 'purpose') continue;
    expect(isAddressRecord(entry)).toBe(true);
    expect(readAddress(entry)).toEqual(bytesOfText(parsed.address));
    const text = parsed.type === 'name' ? parsed.label : parsed.purpose;
    expect(hasText(entry, bytesOfText(text))).toBe(true);
    expect(hasText(entry, bytesOfText(`${text}!`))).toBe(false);
    expect(hasText(entry, bytesOfText('something else'))).toBe(false);
  }
});

it('reads no address out of a key that ends too soon', () => {
  expect(readAddress({ key: Uint8Array.of(4, 0x6e), value: new Uint8Array() })).toEqual(new Uint8Array());
});
