/** What of a wallet file can be exported as descriptors, and what each way of it needs. */
import { type ExportFormat, isForSweeping } from '../../../../shared/model/files.ts';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import type { WalletPart } from '../../../../shared/model/migrationPreview.ts';
import { fileStem } from '../../../../shared/model/names/walletName.ts';
import { lacksSomething } from '../../../../shared/wording/inspectionWords.ts';
import { previewedWallets } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';

interface ExportPart {
  /** Absent for a descriptor wallet, which is exported as it is. */
  part: WalletPart | undefined;
  title: string;
  /** What follows the wallet's name in that of the file. */
  suffix: string;
  hasPrivate: boolean;
}

/** `parts`: whose descriptors can be exported; `hasKeys`: whether private keys can, for sweeping. One of them at least. */
export type Exportable =
  | { can: true; parts: readonly ExportPart[]; hasKeys: boolean }
  | { can: false; why: string };

type Known = Pick<
  Inspection,
  'kind' | 'problems' | 'descriptors' | 'migration' | 'keys' | 'network' | 'flags'
>;

export function exportable(inspection: Known): Exportable {
  const { kind, problems, keys, network } = inspection;
  if (lacksSomething({ problems })) return { can: false, why: INCOMPLETE };
  const hasKeys = keys.plain + keys.encrypted > 0;
  const { parts, why } = partsOf(inspection, hasKeys);
  if (parts.length === 0 && !hasKeys) return { can: false, why };
  if (network.name === 'unknown' && kind === 'legacy') return { can: false, why: NO_NETWORK };
  return { can: true, parts, hasKeys };
}

function partsOf(
  { migration, descriptors }: Known,
  hasPrivate: boolean,
): { parts: readonly ExportPart[]; why: string } {
  if (migration === null) {
    const whole = { part: undefined, title: say('The wallet'), suffix: '', hasPrivate };
    return { parts: descriptors.total === 0 ? [] : [whole], why: NONE };
  }
  if (migration.obstacles.length > 0 || migration.strayTransactions.total > 0)
    return { parts: [], why: NOT_MIGRATED };
  const parts = previewedWallets(migration, null)
    .filter((wallet) => wallet.descriptors > 0)
    .map(({ part, title, suffix }) => ({
      part,
      title,
      suffix,
      hasPrivate: part === 'primary' && hasPrivate,
    }));
  return { parts, why: NONE };
}

/** Whether the passphrase is needed: a rehearsed migration converts the keys, so it always needs it. */
export function needsPassphrase(
  { encryption, kind }: Pick<Inspection, 'encryption' | 'kind'>,
  withPrivate: boolean,
): boolean {
  return encryption !== null && (withPrivate || kind === 'legacy');
}

/** A name for the new file that every system takes, `savings_watchonly-descriptors.json`. */
export function exportFileName(
  wallet: string,
  { suffix, format, withPrivate }: { suffix: string; format: ExportFormat; withPrivate: boolean },
): string {
  if (isForSweeping(format)) return `${fileStem(wallet)}-private-keys.txt`;
  const ending = format === 'lines' ? 'txt' : 'json';
  return `${fileStem(wallet)}${suffix}-${withPrivate ? 'private-' : ''}descriptors.${ending}`;
}

const INCOMPLETE = say('Incomplete. Try another copy.');
const NONE = say('No descriptors.');
const NOT_MIGRATED = say('A node would refuse its migration: see above.');
const NO_NETWORK = say('Choose its network.');
