/** The wallets of the jobs that are stopped. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unclosedWallet } from '../../electron/walletfile/testing/berkeleyLogs.ts';
import { recordingOf } from '../../electron/walletfile/testing/wallets.ts';
import { largeWallet } from '../hardship/largeWallet.ts';

export interface SubjectFile {
  readonly bytes: Buffer;
  readonly passphrase: string | undefined;
}

const cache = new Map<string, SubjectFile>();

export function subjectFile(recording: string): SubjectFile {
  const cached = cache.get(recording);
  if (cached) return cached;
  const file = recording === 'large' ? { bytes: large(), passphrase: undefined } : recordingOf(recording);
  cache.set(recording, file);
  return file;
}

/** The wallet's file on a node. */
export function fileOf(walletsFolder: string, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}

/** The same wallet as a node leaves it that was not closed, with the log of its changes. */
export function broken(recording: string): { bytes: Buffer; log: { name: string; bytes: Uint8Array } } {
  const { bytes, log } = unclosedWallet(Buffer.from(subjectFile(recording).bytes));
  return { bytes: Buffer.from(bytes), log };
}

/** A wallet of 1,000 keys: from a node, if FERRY_BENCH_WALLETS names a folder with one, otherwise created here. */
function large(): Buffer {
  const file = join(process.env.FERRY_BENCH_WALLETS ?? '', 'legacy-many-1000.dat.xz');
  if (!existsSync(file)) return Buffer.from(largeWallet(1000));
  return execFileSync('xz', ['-dc', file], { maxBuffer: 1 << 30 });
}
