import { describe, expect, it } from 'vitest';
import { compareMigration } from './compareMigration.ts';
import { migrateWallet } from './migrateWallet.ts';
import { factsOf, legacyNames, walletFile } from './vectors/wallets.ts';

async function migrated(name: string) {
  const bytes = walletFile(name);
  const { passphrase } = factsOf(name);
  const made = await migrateWallet({
    bytes,
    network: 'regtest',
    name,
    prefix: name,
    now: 1_795_182_461,
    keypoolSize: 20,
    ...(passphrase ? { passphrase } : {}),
  });
  const parts = (['primary', 'watchonly', 'solvables'] as const).flatMap((part) => {
    const wallet = made[part];
    return wallet ? [{ part, ...wallet }] : [];
  });
  return { bytes, parts };
}

describe('compareMigration', () => {
  it.each(legacyNames)('finds everything of %s again', async (name) => {
    const { bytes, parts } = await migrated(name);
    const found = await compareMigration(bytes, parts, 'regtest');
    for (const each of [found.scripts, found.labels, found.transactions]) {
      expect(each.missing).toEqual({ total: 0, shown: [] });
      expect(each.after).toBe(each.before);
    }
    const { before } = factsOf(name);
    expect(found.transactions.before).toBe(before.transactions.length);
    expect(found.wallets.map((wallet) => wallet.part)).toEqual(parts.map(({ part }) => part));
    expect(found.unread).toBe(false);
  });

  it('names what is missing when a wallet is left out', async () => {
    const { bytes, parts } = await migrated('legacy-watchonly');
    const found = await compareMigration(
      bytes,
      parts.filter(({ part }) => part !== 'watchonly'),
      'regtest',
    );
    expect(found.scripts.missing.total).toBeGreaterThan(0);
    expect(found.scripts.after).toBe(found.scripts.before - found.scripts.missing.total);
  });

  it('names what is missing when it is another wallet', async () => {
    const { bytes } = await migrated('legacy-hd');
    const { parts } = await migrated('legacy-imported');
    const found = await compareMigration(bytes, parts, 'regtest');
    expect(found.scripts.missing.total).toBe(found.scripts.before);
    expect(found.transactions.missing.total).toBeGreaterThan(0);
    expect(found.labels.missing.shown.join()).toContain('café ☕');
  });

  it('refuses files of the wrong kind', async () => {
    const { bytes, parts } = await migrated('legacy-hd');
    const [first] = parts;
    if (!first) throw new Error('nothing was made');
    await expect(compareMigration(first.bytes, parts, 'regtest')).rejects.toMatchObject({
      code: 'bad_input',
    });
    await expect(compareMigration(bytes, [{ ...first, bytes }], 'regtest')).rejects.toMatchObject({
      code: 'bad_input',
    });
  });
});
