/** Files and folders of this machine, as far as they can be seen without reading them whole. */
import { z } from 'zod';
import { fileKind } from './findings/fileKinds.ts';
import { network } from './network.ts';
import { count, path, unixSeconds } from './shapes.ts';

/** What the first bytes of a file show, before anything is done with it. */
export const fileFacts = z.object({
  /** Absolute, links resolved. */
  path,
  name: z.string(),
  folder: path,
  /** Whether it is what the app made of a text, in a folder of its own that goes with it. */
  temporary: z.boolean(),
  /** Bytes. */
  size: count,
  modified: unixSeconds,
  kind: z.enum(['descriptor-wallet', 'legacy-wallet', 'other']),
  /** What it is, more exactly. */
  fileKind,
  /** The network a descriptor wallet belongs to. A legacy wallet's header does not tell. */
  network: network.nullable(),
  /** The file is shorter than its own header says. */
  truncated: z.boolean(),
  /** A name for the restored wallet, from the file's name or its folder. */
  suggestedName: z.string(),
});
export type FileFacts = z.infer<typeof fileFacts>;

/** Whether it is a text with keys that were pasted: no wallet yet, and no file of the user's. */
export function isPastedText(file: FileFacts | null): boolean {
  return file?.kind === 'other' && file.temporary;
}

/** One line of the app's own file dialog. */
const folderEntry = z.object({
  name: z.string(),
  path,
  kind: z.enum(['folder', 'file', 'special']),
  size: count.nullable(),
  modified: unixSeconds.nullable(),
});
export type FolderEntry = z.infer<typeof folderEntry>;

export const folderListing = z.object({
  path,
  parent: path.nullable(),
  /** At most 5,000; `truncated` tells when there are more. Folders first, then by name. */
  entries: z.array(folderEntry),
  truncated: z.boolean(),
  /** Places to start from: home, the wallets folder, mounted sticks. */
  places: z.array(z.object({ label: z.string(), path })),
});
export type FolderListing = z.infer<typeof folderListing>;

/** A backup that migrations left beside the wallets. */
export const foundBackup = fileFacts.pick({ path: true, name: true, size: true, modified: true });
export type FoundBackup = z.infer<typeof foundBackup>;

/** What is exported of a wallet file, and how it is written. */
export const exportFormat = z.enum(['importdescriptors', 'lines', 'electrum', 'wif']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Whether it is of private keys for sweeping. */
export function isForSweeping(format: ExportFormat): format is 'electrum' | 'wif' {
  return format === 'electrum' || format === 'wif';
}
