import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { balanceInFile, formatBitcoin, satoshiOfBitcoin, totalBalance } from '../../shared/model/money.ts';
import { outcomeLines } from '../../shared/wording/jobLines.ts';
import { releaseOf } from '../bitcoind/rpc/session.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { typeIn } from '../walletfile/records/records.ts';
import { entriesOf, factsOf, walletFile } from '../walletfile/testing/wallets.ts';
import { createFileProver, createWalletsBench } from './testing/bench.ts';

const { mine } = factsOf('descriptor-hd').before.getbalances;
const PAGE = 4096;

/** Rescues the bytes of a descriptor wallet on a node of release 31, which counts `trusted` bitcoin in what it restores. */
async function rescued(bytes: Uint8Array, trusted: number) {
  const { node, wallets, folder, start, ended } = await createWalletsBench(
    { release: releaseOf(310_000) },
    { prover: createFileProver() },
  );
  node.handlers.restorewallet = ({ params }) => {
    const { wallet_name: name, backup_file: backup } = params as Record<string, string>;
    mkdirSync(join(wallets, `${name}`));
    copyFileSync(`${backup}`, join(wallets, `${name}`, 'wallet.dat'));
    return { name, warnings: [] };
  };
  node.handlers.getbalances = () => ({ mine: { trusted, untrusted_pending: 0, immature: 0 } });
  const path = join(await realpath(folder), 'broken.dat');
  writeFileSync(path, bytes);
  await start({ action: 'rescue', source: { by: 'file', path }, answers: { name: 'back' } });
  return ended();
}

/** With a byte of each private key changed. */
async function withoutKeys(): Promise<Uint8Array> {
  const file = Buffer.from(walletFile('descriptor-hd'));
  for (const { key, value } of await entriesOf('descriptor-hd')) {
    if (typeIn(key) !== 'walletdescriptorkey') continue;
    for (let at = file.indexOf(value); at >= 0; at = file.indexOf(value))
      file[at + 20] = ~(file[at + 20] ?? 0);
  }
  return file;
}

/** Without the pages that hold its transactions. */
async function withoutTransactions(): Promise<Uint8Array> {
  const file = Buffer.from(walletFile('descriptor-hd'));
  for (const { key, value } of await entriesOf('descriptor-hd')) {
    const at = typeIn(key) === 'tx' ? file.indexOf(value.subarray(0, 80)) : -1;
    if (at >= 0) file.fill(0, Math.floor(at / PAGE) * PAGE, Math.ceil((at + 1) / PAGE) * PAGE);
  }
  return file;
}

describe('the rescue of a descriptor wallet', () => {
  it('is proved, with the balance from the file’s page', async () => {
    const file = walletFile('descriptor-hd');
    const { state, result, proof, rescues } = await rescued(file, mine.trusted);
    expect([state, result?.kind, rescues]).toEqual(['done', 'restore', true]);
    const whole = totalBalance(balanceInFile((await inspect(file)).balance));
    expect(proof).toMatchObject({
      verdict: 'same',
      scripts: { missing: { total: 0 } },
      keyless: { total: 0 },
      labels: { missing: { total: 0 } },
      transactions: { missing: { total: 0 } },
      balance: { file: whole, after: satoshiOfBitcoin(mine.trusted), change: 'same' },
    });
    expect(proof?.scripts?.before).toBeGreaterThan(200);
    expect(proof?.lost).toBeUndefined();
  });

  it('is not complete if keys are lost, and names known coins on them', async () => {
    const job = await rescued(await withoutKeys(), mine.trusted);
    const { proof } = job;
    const coins = `Known coins on them: ${formatBitcoin(satoshiOfBitcoin(mine.trusted), 'regtest')}.`;
    expect(proof).toMatchObject({ verdict: 'partly', differences: [] });
    expect(proof?.lost).toContain('Missing: 1 private key.');
    expect(proof?.lost).toContain(coins);
    const outcome = outcomeLines(job).join('\n');
    expect(outcome).toContain(coins);
    expect(outcome).not.toContain('Everything arrived');
  });

  it('is not complete if payments are lost', async () => {
    const { proof } = await rescued(await withoutTransactions(), 0);
    expect(proof?.verdict).not.toBe('same');
    expect(proof?.lost?.join(' ')).toMatch(/Damaged pages: \d+\./);
  });
});
