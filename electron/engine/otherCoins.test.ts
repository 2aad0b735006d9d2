/** The engine neither loads, restores nor migrates the wallet of another chain, and does not change it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { genesisBlocks } from '../walletfile/coin/coins.ts';
import {
  foreignNote,
  hasForeignWallets,
  oldWallet,
  oldWallets,
} from '../walletfile/testing/foreignWallets.ts';
import { walletFile } from '../walletfile/testing/wallets.ts';
import type { EngineRelease } from './rpc/dialect.ts';
import { engineForTest, putWallet } from './testing/testEngine.ts';

const ADDRESS_BOOK = 'Error: Address book data in wallet cannot be identified to belong to migrated wallets';
const OTHER_CHAIN =
  'Wallet loading failed. Wallet files should not be reused across chains. Restart bitcoind with -walletcrosschain to override.';

/** Puts a file into the folder as wallet `w`. Returns the answer of each call, after checking that no file has changed. */
async function answersTo(bytes: Uint8Array, release: EngineRelease) {
  const test = await engineForTest({ release });
  const { walletsFolder, dataFolder } = test;
  const file = putWallet(walletsFolder, 'w', 'legacy-blank');
  writeFileSync(file, bytes);
  const backup = join(dataFolder, 'backup.dat');
  writeFileSync(backup, bytes);
  const answers = {
    load: (await test.call('loadwallet', ['w'])).error,
    restore: (await test.call('restorewallet', ['new', backup])).error,
    migrate: (await test.call('migratewallet', ['w', 'sesame'])).error,
  };
  expect(Buffer.from(bytes).equals(readFileSync(file))).toBe(true);
  expect(readdirSync(join(walletsFolder, 'w'))).toEqual(['wallet.dat']);
  const wallets = readdirSync(walletsFolder).filter((name) => !name.startsWith('.') && name !== 'w');
  expect(wallets).toEqual([]);
  expect((await test.call('listwallets')).result).toEqual([]);
  return answers;
}

/** The recorded wallet with another genesis block. */
function ofChain(recording: string, genesis: string): Uint8Array {
  const bytes = Buffer.from(walletFile(recording));
  const regtest = Buffer.from(genesisBlocks.regtest, 'hex').reverse();
  const other = Buffer.from(genesis, 'hex').reverse();
  for (let at = bytes.indexOf(regtest); at >= 0; at = bytes.indexOf(regtest)) other.copy(bytes, at);
  return Uint8Array.from(bytes);
}

const litecoin = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';

describe('the engine', () => {
  it.each([
    ['another coin’s', litecoin],
    ['a chain that nobody knows', 'cd'.repeat(32)],
    ['another network’s', genesisBlocks.signet],
  ])('refuses a wallet of %s in a node’s words', async (_, genesis) => {
    const refused = { code: -4, message: OTHER_CHAIN };
    const answers = await answersTo(ofChain('legacy-hd', genesis), 28);
    expect(answers).toEqual({ load: refused, restore: refused, migrate: refused });
  });

  it('refuses a descriptor wallet of another chain, too', async () => {
    const { load, restore } = await answersTo(ofChain('descriptor-hd', litecoin), 30);
    expect([load, restore]).toEqual(Array(2).fill({ code: -4, message: OTHER_CHAIN }));
  });

  describe.runIf(hasForeignWallets)(`with wallets that others made${foreignNote}`, () => {
    const others = oldWallets.filter(({ isBitcoin }) => !isBitcoin);

    it.each(others)('refuses $name', async ({ name, path }) => {
      const facts = JSON.parse(readFileSync(join(path, '../facts.json'), 'utf8'));
      // The answer of 31.0. Its reader may refuse a file before it notices the other chain.
      const recorded: string = facts.nodes['31.0'].migratewallet.replace(/^-4 /, '');
      const { load, restore, migrate } = await answersTo(oldWallet(name), 28);
      for (const answer of [load, restore, migrate]) {
        expect(answer?.code).toBe(-4);
        expect([OTHER_CHAIN, ADDRESS_BOOK, recorded]).toContain(answer?.message);
      }
      if (name.startsWith('dash')) expect([ADDRESS_BOOK, migrate?.message]).toEqual([recorded, recorded]);
    });

    it.each(oldWallets.filter(({ isBitcoin }) => isBitcoin))(
      'does not refuse $name',
      async ({ name, path }) => {
        const { chain } = JSON.parse(readFileSync(join(path, '../facts.json'), 'utf8'));
        const test = await engineForTest({ release: 28, chain });
        writeFileSync(putWallet(test.walletsFolder, 'w', 'legacy-blank'), oldWallet(name));
        expect((await test.call('loadwallet', ['w'])).error).toBeNull();
      },
    );
  });
});
