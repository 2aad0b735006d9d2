/** Repairs damaged descriptor wallets, loads them in the real node that `BITCOIND` names, and spends from their keys. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { repairDescriptors } from '../../electron/recovery/repair/repairDescriptors.ts';
import { readSqlite, writeSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { typeIn } from '../../electron/walletfile/records/records.ts';
import { fixtureFile } from '../testNode/walletFixture.ts';
import { fixtureFacts, test } from './sharedNode.ts';
import { spendAll } from './spending.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

const PAGE = 4096;

for (const fixture of ['descriptor-hd', 'descriptor-encrypted'] as const) {
  test(`a node loads ${fixture} without any one page, and spends from the rescued keys`, async ({ node }) => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-holes-'));
    const { passphrase } = fixtureFacts(fixture);
    const pages = readFileSync(fixtureFile(fixture)).length / PAGE;
    let spent = 0;
    for (let page = 0; page < pages; page += 1) {
      const file = readFileSync(fixtureFile(fixture)).fill(
        page % 2 === 0 ? 0 : 0x5a,
        page * PAGE,
        (page + 1) * PAGE,
      );
      const repaired = await repairDescriptors(file, { network: 'regtest' });
      if (!repaired) continue;
      const name = `${fixture}, page ${page}`;
      const path = join(folder, `${page}.dat`);
      writeFileSync(path, repaired.bytes);
      await node.call('restorewallet', [name, path]);
      const { saved } = repaired.facts;
      if (passphrase && saved.keys > 0) await node.call('walletpassphrase', [passphrase, 600], name);
      const coins = await node.call('listunspent', [0], name);
      if (saved.keys > 0 && Array.isArray(coins) && coins.length > 0) {
        const every = await spendAll(node, name).catch((error: unknown) => {
          if (!String(error).includes('addresses available')) throw error;
          // The damaged page named the descriptors of new addresses, which the rescue must report.
          const { addresses = [], change = [] } = repaired.facts.unused ?? {};
          expect([page, addresses.length + change.length]).not.toEqual([page, 0]);
          return null;
        });
        if (every) {
          expect([page, every.allowed]).toEqual([page, [true, true]]);
          spent += 1;
        }
      }
      await node.call('unloadwallet', [name]);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    expect(spent).toBeGreaterThan(0);
  });
}

for (const { fixture, lost } of [
  { fixture: 'descriptor-hd', lost: /^$/ },
  { fixture: 'descriptor-encrypted', lost: /^walletdescriptor(lh)?cache$/ },
] as const) {
  test(`a node gives the next addresses of ${fixture} with damaged active records`, async ({ node }) => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-lost-'));
    const { passphrase } = fixtureFacts(fixture);
    const { records } = await readSqlite(readFileSync(fixtureFile(fixture)));
    const kept = records.filter(({ key }) => !lost.test(typeIn(key)));
    const file = Buffer.from(await writeSqlite(kept, 'regtest'));
    for (const type of ['activeexternalspk', 'activeinternalspk'])
      for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at))
        file.fill('x', at, at + type.length);
    const repaired = await repairDescriptors(file, {
      network: 'regtest',
      passphrase: passphrase ?? undefined,
    });
    expect(repaired?.facts.unused).toEqual({ addresses: [], change: [] });
    writeFileSync(join(folder, 'repaired.dat'), repaired?.bytes ?? '');
    await node.call('restorewallet', [`whole ${fixture}`, fixtureFile(fixture)]);
    await node.call('restorewallet', [`repaired ${fixture}`, join(folder, 'repaired.dat')]);
    const next = async (wallet: string) => [
      ...(await Promise.all(TYPES.map((type) => node.call('getnewaddress', ['', type], wallet)))),
      ...(await Promise.all(TYPES.map((type) => node.call('getrawchangeaddress', [type], wallet)))),
    ];
    expect(await next(`repaired ${fixture}`)).toEqual(await next(`whole ${fixture}`));
    for (const wallet of ['whole', 'repaired']) await node.call('unloadwallet', [`${wallet} ${fixture}`]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
}

const TYPES = ['legacy', 'p2sh-segwit', 'bech32', 'bech32m'] as const;
