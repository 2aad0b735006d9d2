import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Balance, balanceInFile, formatBitcoin, totalBalance } from '../../../shared/model/money.ts';
import { sampleJob } from '../../../shared/testing/sampleJob.ts';
import { outcomeLines } from '../../../shared/wording/jobLines.ts';
import { proofRows } from '../../../shared/wording/proofWords.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { readSqlite, writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { typeIn } from '../../walletfile/records/records.ts';
import {
  inOrder,
  keyRecords,
  multisigOf,
  p2shOf,
  sampleKey,
  scriptRecord,
  transactionRecord,
  watchRecords,
} from '../../walletfile/testing/sampleWallet.ts';
import { createBench, createFileProver } from '../testing/bench.ts';

const SPENDABLE = 1_855_000_000n;
const WATCHED = 61_000_000n;
const NOT_YOURS = 60_000_000n;

const [own, other, watched] = [sampleKey(1), sampleKey(2), sampleKey(3)];
/** Of one own key and one of somebody else: the wallet can help to sign for it, and no more. */
const shared = multisigOf(2, own, other);
/** A legacy wallet of every part, with a coin on each. */
const payment = transactionRecord([own.p2pkh, watched.p2pkh, p2shOf(shared)], undefined, [
  ...[SPENDABLE, WATCHED, NOT_YOURS],
]);
const records = [keyRecords(own), watchRecords(watched.p2pkh), scriptRecord(shared), payment.record];
const everything = writeBerkeley(inOrder(...records));
const names = { walletName: 'w', watchonlyName: 'w_watchonly', solvablesName: 'w_solvables' };
const amount = (satoshi: bigint) => formatBitcoin(satoshi, 'regtest');

/** A node that has migrated it, whose wallets hold these satoshi; `change` is made to each new file. */
async function proved(
  balances: Readonly<Record<string, bigint>>,
  change: (name: string, bytes: Uint8Array, files: ReadonlyMap<string, Uint8Array>) => Promise<Uint8Array>,
  legacy = everything,
) {
  const { node, session, folder } = await createBench();
  const before = join(folder, 'before.dat');
  writeFileSync(before, legacy);
  const { primary, watchonly, solvables } = await migrateWallet({
    bytes: legacy,
    name: 'w',
    network: 'regtest',
    now: 1_795_182_461,
    keypoolSize: 5,
  });
  const files = new Map(
    [primary, watchonly, solvables].flatMap((one) => (one ? [[one.name, one.bytes]] : [])),
  );
  for (const [name, bytes] of files) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'wallet.dat'), await change(name, bytes, files));
  }
  node.handlers.listwalletdir = () => ({ wallets: [...files.keys()].map((name) => ({ name })) });
  node.handlers.getbalances = (request) => {
    const satoshi = balances[request.wallet ?? ''] ?? 0n;
    return { mine: { trusted: Number(satoshi) / 1e8, untrusted_pending: 0, immature: 0 } };
  };
  const prover = createFileProver();
  const checkpoint = { fileForProof: before, balanceBefore: SPENDABLE + WATCHED };
  return (await prover(session, checkpoint, names, new AbortController().signal)).proof;
}

const unchanged = async (_: string, bytes: Uint8Array) => bytes;

function linesOf(proof: Awaited<ReturnType<typeof proved>>): string[] {
  const result = { kind: 'migrate', ...names, backupPath: null, backupSeen: null } as const;
  const { node, ...job } = sampleJob({ state: 'done', result, proof });
  return outcomeLines({ ...job, node: { ...node, network: 'regtest' } });
}

describe('a wallet with all three parts', () => {
  it('has the same three parts in its file and in the migrated wallets', async () => {
    const parts: Balance = { spendable: SPENDABLE, watched: WATCHED, notYours: NOT_YOURS };
    const { balance } = await inspect(everything, { network: 'regtest' });
    expect(balanceInFile(balance)).toEqual(parts);
    const proof = await proved({ w: SPENDABLE, w_watchonly: WATCHED, w_solvables: NOT_YOURS }, unchanged);
    const whole = { before: totalBalance(parts), after: totalBalance(parts), change: 'same' };
    const balances = { ...whole, split: { before: parts, after: parts } };
    expect(proof).toMatchObject({ verdict: 'same', balance: balances });
    const rows = proofRows(proof, 'regtest').map(({ label, after }) => `${label}: ${after.text}`);
    expect(rows.filter((text) => !text.startsWith('Last known')).slice(-4)).toEqual([
      `Balance: ${amount(1_916_000_000n)}`,
      `Spendable: ${amount(SPENDABLE)}`,
      `Watched only: ${amount(WATCHED)}`,
      `Not yours: ${amount(NOT_YOURS)}`,
    ]);
    const line = `“w_solvables” · ${amount(NOT_YOURS)} · Not counted as yours.`;
    expect(linesOf(proof).join('\n')).toContain(line);
  });

  it('counts a coin of two new wallets once, and says so for the second', async () => {
    const proof = await proved(
      { w: SPENDABLE, w_watchonly: WATCHED, w_solvables: NOT_YOURS + WATCHED },
      async (name, bytes, files) => {
        if (name !== 'w_solvables') return bytes;
        const { records } = await readSqlite(bytes);
        const watching = await readSqlite(files.get('w_watchonly') ?? new Uint8Array());
        const moved = watching.records.filter(({ key }) => ['walletdescriptor', 'tx'].includes(typeIn(key)));
        return writeSqlite([...records, ...moved], 'regtest');
      },
    );
    expect(proof.wallets.map(({ twice }) => twice)).toEqual([0n, 0n, WATCHED]);
    const parts = { spendable: SPENDABLE, watched: WATCHED, notYours: NOT_YOURS };
    expect(proof.balance.split?.after).toEqual(parts);
    const line = `“w_solvables” · ${amount(NOT_YOURS)} · ${amount(WATCHED)} more is in another new wallet.`;
    expect(linesOf(proof).join('\n')).toContain(line);
  });

  it('says that the watch-only wallet shows a coin that is already spent', async () => {
    // The wallet came to watch the payment after it had received the coin that was swept from there.
    const sweep = transactionRecord([own.p2pkh], [{ txid: payment.txid, index: 1 }], [WATCHED]);
    const swept = writeBerkeley(inOrder(...records, sweep.record));
    const balances = { w: SPENDABLE + WATCHED, w_solvables: NOT_YOURS };
    expect((await proved({ ...balances, w_watchonly: 0n }, unchanged, swept)).differences).toEqual([]);
    const asNode = await proved(
      { ...balances, w_watchonly: WATCHED },
      async (name, bytes) => {
        if (name !== 'w_watchonly') return bytes;
        const rest = (await readSqlite(bytes)).records.filter(
          ({ key }) => !Buffer.from(key).includes(Buffer.from(sweep.record.key)),
        );
        return writeSqlite(rest, 'regtest');
      },
      swept,
    );
    expect(asNode).toMatchObject({ verdict: 'partly', transactions: { missing: { total: 0 } } });
    const words = { title: '“w_watchonly” shows spent coins', meaning: 'Rescan it.' };
    expect(asNode.differences).toEqual([{ ...words, minor: true }]);
  });
});
