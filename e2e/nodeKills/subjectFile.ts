/** The wallets that real nodes are stopped over. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notClosed } from '../../electron/walletfile/testing/madeLog.ts';
import { largeWallet } from '../hardship/largeWallet.ts';
import { recordingOf } from '../hardship/subject.ts';

export interface SubjectFile {
  readonly bytes: Buffer;
  readonly passphrase: string | undefined;
}

const known = new Map<string, SubjectFile>();

export function subjectFile(recording: string): SubjectFile {
  const before = known.get(recording);
  if (before) return before;
  const made = recording === 'large' ? { bytes: large(), passphrase: undefined } : recordingOf(recording);
  known.set(recording, made);
  return made;
}

/** The wallet's file on a node. */
export function fileOf(walletsFolder: string, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}

/** The same wallet as a release leaves it that was not closed, without a page of its keys, and with the log of its changes. */
export function broken(recording: string): { bytes: Buffer; log: { name: string; bytes: Uint8Array } } {
  const { bytes, log } = notClosed(Buffer.from(subjectFile(recording).bytes));
  return { bytes: Buffer.from(bytes), log };
}

/** One that a node made, where its folder is named; else one that is made here. */
function large(): Buffer {
  const file = join(process.env.FERRY_BENCH_WALLETS ?? '', 'legacy-many-1000.dat.xz');
  if (!existsSync(file)) return Buffer.from(largeWallet(1000));
  return execFileSync('xz', ['-dc', file], { maxBuffer: 1 << 30 });
}
