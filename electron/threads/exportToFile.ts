/** Writes the descriptors of a wallet's file to a new file; of a legacy one those that its migration would make. */
import { AppError } from '../../shared/errors.ts';
import type { WalletPart } from '../../shared/migrationPreview.ts';
import { say } from '../../shared/text/say.ts';
import { allOf } from '../../shared/text/sayList.ts';
import { readWholeFile } from '../disk/readWholeFile.ts';
import { refuseTaken, writeNewFile } from '../disk/writeNewFile.ts';
import { type ExportOptions, exportDescriptors } from '../wallet/inspect/exportDescriptors.ts';
import { identifyWallet } from '../wallet/inspect/identifyWallet.ts';
import { type RehearsalRequest, rehearseMigration } from './rehearseMigration.ts';

export interface ExportRequest extends RehearsalRequest {
  /** Of a legacy wallet: which of the wallets that come of its migration. Default the primary one. */
  readonly part?: WalletPart | undefined;
  readonly private: ExportOptions['private'];
  readonly format: ExportOptions['format'];
  /** A new file. */
  readonly destination: string;
}

export interface Exported {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** How many. */
  readonly descriptors: number;
}

/**
 * @throws AppError what `readWholeFile`, `rehearseMigration`, `exportDescriptors` and `writeNewFile` throw, and `bad_input`
 * for a part that does not come of the migration.
 */
export async function exportToFile(path: string, request: ExportRequest): Promise<Exported> {
  const { destination, private: secret, format, passphrase } = request;
  refuseTaken(destination);
  const bytes = await descriptorWallet(await readWholeFile(path), request);
  const text = await exportDescriptors(bytes, { private: secret, format, passphrase });
  const size = writeNewFile(destination, text);
  return { path: destination, size, descriptors: countOf(text, format) };
}

async function descriptorWallet(bytes: Uint8Array, request: ExportRequest): Promise<Uint8Array> {
  const { part = 'primary' } = request;
  const { kind } = await identifyWallet(bytes, request.network);
  if (kind === 'descriptor') {
    if (part !== 'primary') throw missing(say('A descriptor wallet has no parts.'));
    return bytes;
  }
  const { wallets } = await rehearseMigration(bytes, request);
  const made = wallets.find((wallet) => wallet.part === part);
  if (made) return made.bytes;
  throw missing(
    say('This is not among the wallets that come of this migration: {wallet}. It makes: {wallets}.', {
      wallet: wordsOf[part],
      wallets: allOf(wallets.map((made) => wordsOf[made.part])),
    }),
  );
}

const wordsOf: Readonly<Record<WalletPart, string>> = {
  primary: say('wallet of the old name'),
  watchonly: say('watch-only wallet'),
  solvables: say('wallet of solvable scripts'),
};

function missing(what: string): AppError {
  return new AppError('bad_input', what, say('Nothing was written. Choose another one to export.'));
}

function countOf(text: string, format: ExportOptions['format']): number {
  if (format === 'lines') return text.split('\n').length - 1;
  const requests: unknown = JSON.parse(text);
  return Array.isArray(requests) ? requests.length : 0;
}
