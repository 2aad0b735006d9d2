/**
 * Measures the rounds of SHA-512 in a try of a passphrase, compared with one long hash and with other ways to compute them.
 * Uses processor time, which other programs do not lengthen. `npm run bench -- passphrase`.
 */
import { hash } from 'node:crypto';
import { sha512 } from '@noble/hashes/sha2.js';
import { test } from '@playwright/test';
import { stretchPassphrase } from '../../electron/walletfile/keys/crypter.ts';
import { inShort, report } from './figures.ts';

const ROUNDS = 300_000;
/** The block size of SHA-512 in bytes. */
const BLOCK = 128;

test('computes a round of a try', async () => {
  const salt = new Uint8Array(8);
  const large = new Uint8Array(ROUNDS * BLOCK);
  const own: number[] = [];
  const blocks: number[] = [];
  const buffers: number[] = [];
  const noble: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    own.push(await microsecondsPerRound(() => stretchPassphrase('passphrase', salt, ROUNDS)));
    blocks.push(await microsecondsPerRound(() => hash('sha512', large, 'buffer')));
    buffers.push(await microsecondsPerRound(() => repeated((digest) => hash('sha512', digest, 'buffer'))));
    noble.push(await microsecondsPerRound(() => repeated((digest) => sha512(digest))));
  }
  const [round, buffered] = [Math.min(...own), Math.min(...buffers)];
  await report([
    {
      what: 'a passphrase: one round of a try',
      goal: '≤ 0.6 × with a buffer for each',
      measured: `${inShort(round / buffered)} × (${inShort(round)} µs; with @noble/hashes ${inShort(Math.min(...noble))} µs; a block in one long hash ${inShort(Math.min(...blocks))} µs)`,
      against: `Node’s hash with a buffer for each ${inShort(buffered)} µs`,
      met: round <= 0.6 * buffered,
      command: 'npm run bench -- passphrase',
    },
  ]);
});

async function microsecondsPerRound(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ROUNDS;
}

function repeated(step: (digest: Uint8Array) => Uint8Array): void {
  let digest: Uint8Array = new Uint8Array(64);
  for (let done = 0; done < ROUNDS; done += 1) digest = step(digest);
}
