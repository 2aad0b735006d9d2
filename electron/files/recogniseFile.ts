/** Recognises an open file by its content, its name, and the tables of its database. */
import type { FileHandle } from 'node:fs/promises';
import type { FileKind } from '../../shared/model/findings/fileKinds.ts';
import { bytesToRecognise, recogniseOther } from '../walletfile/inspect/otherFiles.ts';
import { firstBytes } from './openFile.ts';

export { knownKinds } from '../walletfile/inspect/otherFiles.ts';

/** The kind of a file that is no wallet of Bitcoin Core. `header`: its start. `size`: in bytes. */
export async function recogniseOtherFile(
  handle: FileHandle,
  { header, size, name }: { header: Uint8Array; size: number; name: string },
): Promise<FileKind> {
  const needed = bytesToRecognise(header, size);
  const bytes = needed > header.length ? await firstBytes(handle, needed) : header;
  return recogniseOther(bytes, size, name);
}
