/** The engine migrates Bitcoin wallets of 2013 to 2020 as a node did. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chainOfNetwork } from '../../shared/model/network.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { foreignNote, foreignWallets, hasForeignWallets } from '../walletfile/testing/foreignWallets.ts';
import { engineForTest } from './testing/testEngine.ts';

/** The result of the first of these releases that migrated the wallet. */
const wallets = foreignWallets('old', 'odd').flatMap((wallet) => {
  const { name, nodes } = wallet;
  const isBitcoin = name.startsWith('old/bitcoin') || name.startsWith('odd/');
  const node = [nodes['31.0'], nodes['32.0-pre']].find((one) => one?.migratewallet === 'done');
  return isBitcoin && node?.wallets ? [{ ...wallet, recorded: node.wallets }] : [];
});

describe.runIf(hasForeignWallets)(`old wallets${foreignNote}`, () => {
  it.each(wallets)('$name', async ({ path, network, passphrase, recorded }) => {
    const dataFolder = makeTestFolder();
    const folder = join(dataFolder, 'regtest', 'wallets', 'old');
    mkdirSync(folder, { recursive: true });
    cpSync(path, join(folder, 'wallet.dat'));
    const { call } = await engineForTest({ chain: chainOfNetwork(network) }, dataFolder);
    const secret = passphrase === undefined ? {} : { passphrase };
    const { result, error } = await call('migratewallet', { wallet_name: 'old', ...secret });
    expect(error).toBeNull();
    const migration = Object(result);
    expect(Object.keys(migration).filter((key) => key !== 'backup_path')).toEqual(Object.keys(recorded));
    for (const [part, node] of Object.entries(recorded)) {
      const own = `/wallet/${encodeURIComponent(migration[part])}`;
      const ask = async (method: string, params: unknown[] = []) =>
        Object((await call(method, params, own)).result);
      if (passphrase !== undefined) await ask('walletpassphrase', [passphrase, 60]);
      const descriptors = async (isPrivate: boolean): Promise<string[]> =>
        Object((await ask('listdescriptors', [isPrivate])).descriptors).map(
          ({ desc }: { desc: string }) => desc,
        );
      const ours = await descriptors(typeof node.priv !== 'string');
      const theirs = typeof node.priv === 'string' ? node.pub : node.priv;
      expect(theirs.filter((one) => !ours.includes(one))).toEqual([]);
      // Without a seed, a migration makes a new one for new addresses. The facts do not contain those descriptors.
      expect([0, 8]).toContain(ours.length - theirs.length);
      const ids = new Set<string>((await ask('listtransactions', ['*', 100_000, 0, true])).map(idOf));
      expect([...ids].sort()).toEqual(node.tx.toSorted());
      for (const [label, addresses] of Object.entries(node.labels)) {
        expect(Object.keys(await ask('getaddressesbylabel', [label])).sort()).toEqual(addresses.toSorted());
      }
    }
  });
});

function idOf({ txid }: { txid: string }): string {
  return txid;
}
