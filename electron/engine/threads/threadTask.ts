/** Does one piece of work, in whichever thread it is called. */
import { statSync } from 'node:fs';
import { placeFile, writeWholeFile } from '../../files/durableFile.ts';
import { sha256Of } from '../../files/hash.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { unlock } from '../../walletfile/keys/crypter.ts';
import { migrateWallet } from '../../walletfile/migrate/migrateWallet.ts';
import { answerQuestion } from '../methods/questionTable.ts';
import { type LoadedWallet, openWallet } from '../view/openWallet.ts';
import { listWalletDir } from '../wallets/walletDir.ts';
import type { Gives, NumberedWallet, Task, TaskKind, Tasks } from '../wallets/work.ts';
import { readShared, readSharedWallet } from './readShared.ts';

/** The wallets that are open in this thread, by their numbers. */
export type OpenHere = Map<number, Promise<LoadedWallet>>;

/** Throws what `Tasks` says. */
export async function doTask<K extends TaskKind>({ is, given }: Task<K>, open: OpenHere): Promise<Gives<K>> {
  return doers[is](given, open);
}

type Doer<K extends TaskKind> = (given: Tasks[K]['takes'], open: OpenHere) => Gives<K> | Promise<Gives<K>>;

const doers: { readonly [K in TaskKind]: Doer<K> } = {
  read: ({ path }) => readSharedWallet(path),
  write: ({ path, bytes }) => {
    writeWholeFile(path, bytes);
    return sha256Of(bytes);
  },
  copy: ({ from, to, part }) => {
    placeFile(to, readShared(from), part);
    return null;
  },
  holds: ({ path, bytes }) =>
    orNull(() => statSync(path).size === bytes.length && Buffer.compare(readShared(path), bytes) === 0) ??
    false,
  list: ({ folder, network }) => listWalletDir(folder, network),
  open: async ({ wallet }, open) => {
    const { kind, warnings, encryption, summary, addressBook } = await opened(wallet, open);
    return { kind, warnings, encryption, summary, addresses: addressBook.length };
  },
  ask: async ({ wallet, question }, open) => answerQuestion(await opened(wallet, open), question),
  migrate: (task) => migrateWallet(task),
  unlock: ({ encryption, passphrase }) => unlock(encryption.masterKeys, encryption.samples, passphrase),
};

function opened({ id, bytes, kind, network }: NumberedWallet, open: OpenHere): Promise<LoadedWallet> {
  const known = open.get(id);
  if (known) return known;
  const opening = openWallet(bytes, kind, network);
  open.set(id, opening);
  opening.catch(() => open.delete(id));
  return opening;
}
