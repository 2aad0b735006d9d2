import { describe, expect, it } from 'vitest';
import { createMessageCipher, fromBase64, randomSecret, toBase64 } from './seal.ts';

const TEXT = '{"passphrase":"ein Baum, ein Haus \u{1F3E0}"}';

describe('an encrypted message', () => {
  it('opens with its key and its purpose', async () => {
    const secret = randomSecret();
    const [mine, theirs] = [await createMessageCipher(secret), await createMessageCipher(secret)];
    const closed = await mine.encrypt(TEXT, 'call a 1');
    expect(await theirs.decrypt(closed, 'call a 1')).toBe(TEXT);
    expect(await theirs.decrypt(fromBase64(toBase64(closed)), 'call a 1')).toBe(TEXT);
    expect(await theirs.decrypt(await mine.encrypt('', ''), '')).toBe('');
    expect(Buffer.from(closed).toString('latin1')).not.toContain('passphrase');
  });

  // SECURITY.md: A page in the same browser
  it('opens with no other key or purpose', async () => {
    const seal = await createMessageCipher(randomSecret());
    const closed = await seal.encrypt(TEXT, 'call a 1');
    await expect((await createMessageCipher(randomSecret())).decrypt(closed, 'call a 1')).rejects.toThrow();
    for (const about of ['', 'call b 1', 'call a 2', 'answer a 1']) {
      await expect(seal.decrypt(closed, about)).rejects.toThrow();
    }
  });

  // SECURITY.md: A page in the same browser
  it('does not open if a byte was changed, removed or added', async () => {
    const seal = await createMessageCipher(randomSecret());
    const closed = await seal.encrypt(TEXT, '');
    for (let at = 0; at < closed.length; at++) {
      const changed = Uint8Array.from(closed, (byte, index) => (index === at ? byte ^ 1 : byte));
      await expect(seal.decrypt(changed, '')).rejects.toThrow();
      await expect(seal.decrypt(closed.slice(0, at), '')).rejects.toThrow();
    }
    await expect(seal.decrypt(Uint8Array.from([...closed, 0]), '')).rejects.toThrow();
  });

  it('differs each time', async () => {
    const seal = await createMessageCipher(randomSecret());
    const all = await Promise.all(Array.from({ length: 100 }, () => seal.encrypt(TEXT, '')));
    expect(new Set(all.map(toBase64)).size).toBe(100);
    expect(randomSecret()).toMatch(/^[\w-]{43}$/);
    expect(randomSecret()).not.toBe(randomSecret());
  });
});
