/** The engine makes of Bitcoin wallets of 2013 to 2020 what a node made of them. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chainOfNetwork } from '../../shared/model/network.ts';
import { foreignAreHere, foreignNote, foreignWallets } from '../walletfile/testing/foreignWallets.ts';
import { makeDataFolder, removeDataFolder, startTestEngine } from './testing/testEngine.ts';

/** What the first of these releases made that migrated it. */
const wallets = foreignWallets('old', 'odd').flatMap((wallet) => {
  const { name, nodes } = wallet;
  const isBitcoin = name.startsWith('old/bitcoin') || name.startsWith('odd/');
  const node = [nodes['31.0'], nodes['32.0-pre']].find((one) => one?.migratewallet === 'done');
  return isBitcoin && node?.wallets ? [{ ...wallet, told: node.wallets }] : [];
});

describe.runIf(foreignAreHere)(`old wallets${foreignNote}`, () => {
  it.each(wallets)('$name', async ({ path, network, passphrase, told }) => {
    const dataFolder = makeDataFolder();
    const folder = join(dataFolder, 'regtest', 'wallets', 'old');
    mkdirSync(folder, { recursive: true });
    cpSync(path, join(folder, 'wallet.dat'));
    const { engine, call } = await startTestEngine(dataFolder, { chain: chainOfNetwork(network) });
    onTestFinished(async () => {
      await engine.stop();
      removeDataFolder(dataFolder);
    });
    const secret = passphrase === undefined ? {} : { passphrase };
    const { result, error } = await call('migratewallet', { wallet_name: 'old', ...secret });
    expect(error).toBeNull();
    const made = Object(result);
    expect(Object.keys(made).filter((key) => key !== 'backup_path')).toEqual(Object.keys(told));
    for (const [part, node] of Object.entries(told)) {
      const own = `/wallet/${encodeURIComponent(made[part])}`;
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
      // Those for new addresses come of a fresh seed where the wallet has none: the facts leave them out.
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
