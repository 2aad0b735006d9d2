/** What of a wallet file can be exported as descriptors, and what each way of it needs. */
import type { Inspection } from '../../../shared/inspection.ts';
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import { say } from '../../../shared/text/say.ts';
import { lacksSomething } from '../../../shared/words/inspectionWords.ts';
import { previewedWallets } from '../../../shared/words/migratedWallets.ts';
import { fileStem } from '../../elements/file/fileNames.ts';

export interface ExportPart {
  /** Absent for a descriptor wallet, which is exported as it is. */
  part: WalletPart | undefined;
  title: string;
  /** What follows the wallet's name in that of the file. */
  suffix: string;
  /** Whether there are private keys to write out. */
  hasPrivate: boolean;
}

type Exportable = { can: true; parts: readonly [ExportPart, ...ExportPart[]] } | { can: false; why: string };

type Known = Pick<
  Inspection,
  'kind' | 'problems' | 'descriptors' | 'migration' | 'keys' | 'network' | 'flags'
>;

export function exportable(inspection: Known): Exportable {
  const { problems, migration, descriptors, keys, network } = inspection;
  if (lacksSomething({ problems })) return { can: false, why: INCOMPLETE };
  const hasPrivate = keys.plain + keys.encrypted > 0;
  if (migration === null) {
    if (descriptors.total === 0) return { can: false, why: NONE };
    return { can: true, parts: [{ part: undefined, title: say('The wallet'), suffix: '', hasPrivate }] };
  }
  if (migration.obstacles.length > 0 || migration.strayTransactions.total > 0) {
    return { can: false, why: NOT_MIGRATED };
  }
  const [first, ...others] = previewedWallets(migration, null)
    .filter((wallet) => wallet.descriptors > 0)
    .map(({ part, title, suffix }) => ({
      part,
      title,
      suffix,
      hasPrivate: part === 'primary' && hasPrivate,
    }));
  if (!first) return { can: false, why: NONE };
  return network.name === 'unknown'
    ? { can: false, why: NO_NETWORK }
    : { can: true, parts: [first, ...others] };
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
  {
    suffix,
    format,
    withPrivate,
  }: { suffix: string; format: 'importdescriptors' | 'lines'; withPrivate: boolean },
): string {
  const ending = format === 'lines' ? 'txt' : 'json';
  return `${fileStem(wallet)}${suffix}-${withPrivate ? 'private-' : ''}descriptors.${ending}`;
}

const INCOMPLETE = say('An export must be complete. Try another copy of this wallet.');
const NONE = say('This wallet has no descriptors.');
const NOT_MIGRATED = say('They come of a migration, which a node would refuse: see above.');
const NO_NETWORK = say('Choose its network above first.');
