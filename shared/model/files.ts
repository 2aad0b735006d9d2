/** Facts about files and folders of this machine that need no reading of the whole file. */
import { z } from 'zod/mini';
import { fileKind } from './findings/fileKinds.ts';
import { network } from './network.ts';
import { count, path, unixSeconds } from './shapes.ts';

/** What the first bytes of a file show. */
export const fileFacts = z.object({
  /** Absolute, links resolved. */
  path,
  name: z.string(),
  folder: path,
  /** Whether the app wrote it from a pasted text. The app removes it when it closes. */
  temporary: z.boolean(),
  /** Bytes. */
  size: count,
  modified: unixSeconds,
  kind: z.enum(['descriptor-wallet', 'legacy-wallet', 'other']),
  /** The exact kind. */
  fileKind,
  /** The network of a descriptor wallet; null for a custom signet. The header of a legacy wallet does not name one. */
  network: z.nullable(network),
  /** The file is shorter than its own header says. */
  truncated: z.boolean(),
  /** A name for the restored wallet, from the file's name or its folder. */
  suggestedName: z.string(),
});
export type FileFacts = z.infer<typeof fileFacts>;

/** The name, without its extension, of the file that the app writes from pasted text or from its descriptors. */
export const PASTED_STEM = 'pasted-keys';

/** Whether the file was pasted, so that its name says nothing to the user. */
export function isPasted(file: Pick<FileFacts, 'temporary' | 'name'> | null): boolean {
  return file?.temporary === true && file.name.startsWith(`${PASTED_STEM}.`);
}

/** Whether the app made the file of a text and removes it when it closes: in a folder of its own in the app's `reading` folder. */
export function isTemporaryPath(path: string | null | undefined): boolean {
  const [parent, folder = ''] = path?.split(/[\\/]/).slice(-3) ?? [];
  return parent === 'reading' && TEMPORARY_FOLDER.test(folder);
}

/** The name of a temporary folder: with the number of the app's process, and six random characters. */
export const TEMPORARY_FOLDER = /^wallet-in-use-\d+-.{6}$/;

/** Whether it holds pasted keys: neither a wallet yet nor a file of the user. */
export function isPastedText(file: FileFacts | null): boolean {
  return file?.kind === 'other' && file.temporary;
}

/**
 * What a job left, by the path of the wallet file: the app's safety copy, the old wallet's backup of a migration, or an interrupted
 * wallet that was moved. Null for any other file.
 */
export function leftByJob(file: string): 'safety-copy' | 'legacy-backup' | 'interrupted' | null {
  return LEFT_BY_JOBS.find(([, path]) => path.test(file))?.[0] ?? null;
}

const LEFT_BY_JOBS = [
  ['safety-copy', /[/\\]safety copies[/\\]\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d [^/\\]+[/\\][^/\\]+$/],
  ['legacy-backup', /\.legacy\.bak$/],
  ['interrupted', /\.interrupted-\d{8}-\d{6}[^/\\]*(?:[/\\][^/\\]+)?$/],
] as const;

/** An entry in the app's own file dialog. */
const folderEntry = z.object({
  name: z.string(),
  path,
  kind: z.enum(['folder', 'file', 'special']),
  size: z.nullable(count),
  modified: z.nullable(unixSeconds),
});
export type FolderEntry = z.infer<typeof folderEntry>;

export const folderListing = z.object({
  path,
  /** The file that was asked for, whose folder is listed; null for a folder. */
  file: z.nullable(path),
  parent: z.nullable(path),
  /** At most 5,000, folders first, then by name. `truncated`: there are more. */
  entries: z.array(folderEntry),
  truncated: z.boolean(),
  /** Places to start from: home, the wallets folder, mounted sticks. */
  places: z.array(z.object({ label: z.string(), path })),
});
export type FolderListing = z.infer<typeof folderListing>;

/** A folder that a search of this computer can begin in. `node`: the data folder of Bitcoin Core. `system`: the disk of the system. */
export const searchPlace = z.object({ path, kind: z.enum(['node', 'home', 'disk', 'system', 'other']) });
export type SearchPlace = z.infer<typeof searchPlace>;

/** A backup that a migration left next to the wallets. */
export const foundBackup = z.pick(fileFacts, { path: true, name: true, size: true, modified: true });
export type FoundBackup = z.infer<typeof foundBackup>;

/** The format of an export, which also decides what it contains. */
export const exportFormat = z.enum(['importdescriptors', 'lines', 'electrum', 'wif']);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Whether the format holds private keys alone, to import into Electrum or to sweep with Sparrow. */
export function listsPrivateKeys(format: ExportFormat): format is 'electrum' | 'wif' {
  return format === 'electrum' || format === 'wif';
}

/** The service that copies this folder or file to the internet, by the names of the folders on its path; null if none is known. */
export function syncServiceAt(path: string): string | null {
  for (const part of path.split(/[\\/]/)) {
    const service = SYNC_SERVICES.find(([, folder]) => folder.test(part));
    if (service !== undefined) return service[0];
  }
  return null;
}

/** The folders as the services name them, also in `Library/CloudStorage` and `Library/Mobile Documents` of macOS. */
const SYNC_SERVICES: readonly (readonly [name: string, folder: RegExp])[] = [
  ['OneDrive', /^OneDrive(?:$| - |-)/i],
  ['Dropbox', /^Dropbox(?:$| \(|-)/i],
  ['iCloud', /^(?:iCloud ?Drive|com~apple~CloudDocs)$/i],
  ['Google Drive', /^(?:Google ?Drive|GoogleDrive-.*|My Drive)$/i],
  ['Nextcloud', /^Nextcloud(?:$|\d|-)/i],
  ['pCloud', /^pCloud ?(?:Drive|Sync)$/i],
  ['MEGA', /^MEGA(?:sync)?$/],
];
