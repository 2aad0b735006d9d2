/** Prints the contents of a wallet file, as the page shows them. */
import type { Inspection } from '../../shared/model/inspection.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { balanceLine, balanceWords } from '../../shared/wording/balanceWords.ts';
import { findingText } from '../../shared/wording/findings/findingWords.ts';
import { counted } from '../../shared/wording/format/counted.ts';
import { formatExactSize } from '../../shared/wording/format/formatSize.ts';
import { listedApart } from '../../shared/wording/format/listed.ts';
import {
  birthWords,
  encryptionWords,
  flagWords,
  keyFacts,
  kindWords,
  networkFound,
  readWords,
} from '../../shared/wording/inspectionWords.ts';
import { type Row, rows, section } from '../../shared/wording/lines.ts';
import { previewedWallets } from '../../shared/wording/migratedWallets.ts';
import { say } from '../../shared/wording/say.ts';

export function inspectionLines(path: string, inspection: Inspection): string[] {
  const { file, birth, flags, problems, lastWrittenBy, migration } = inspection;
  const network = networkFound(inspection.network);
  const balance = balanceWords(inspection);
  const special = listedApart(flags.flatMap((flag) => flagWords(flag) ?? []));
  const { when, note } = birthWords(birth);
  // Amounts in bitcoin would be wrong for another coin, and such a file cannot be migrated.
  const isBitcoins = inspection.coin.verdict !== 'other';
  const wallets = migration === null || !isBitcoins ? [] : previewedWallets(migration, null);
  return [
    path,
    ...section(
      say('Warning'),
      problems.map(({ finding }) => findingText(finding)),
    ),
    '',
    ...rows([
      [say('What it is'), kindWords(inspection)],
      [say('Network'), `${network.name}. ${network.how}`],
      [say('Encrypted'), encryptionWords(inspection)],
      [say('Made'), note === null ? when : `${when}. ${note}`],
      [say('Last written by'), lastWrittenBy?.text],
      [say('Special'), special],
      [say('Size'), formatExactSize(file.size)],
      [say('In it'), readWords(inspection)],
    ]),
    ...(isBitcoins
      ? section(say('Last known balance'), [
          balance.total ?? say('Not known'),
          ...balance.parts.map(({ label, value }) => `${label}: ${value}`),
          ...balance.notes,
        ])
      : []),
    ...section(say('Keys'), rows(keyFacts(inspection).map(({ label, value }): Row => [label, value]))),
    ...section(say('After a migration'), [
      ...wallets.map(({ title, descriptors }) => `${title}: ${counted.descriptors(descriptors)}`),
      ...(isBitcoins ? (migration?.obstacles ?? []).map((obstacle) => findingText(obstacle)) : []),
    ]),
  ];
}

/** A summary of the file in a plan. */
export function contentsRows(contents: NonNullable<Plan['facts']['contents']>): Row[] {
  return [
    [say('Kind'), kindWords(contents)],
    [say('Network'), networkFound(contents.network).name],
    [say('Encrypted'), encryptionWords(contents)],
    [say('Last known balance'), balanceLine(contents)],
    [say('In it'), readWords(contents) ?? say('Nothing that can be read')],
    [say('Made'), birthWords(contents.birth).when],
  ];
}
