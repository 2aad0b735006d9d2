/** Prints the nodes of this computer and the wallets of one node, one a line, and the contents of a wallet file. */
import type { Inspection } from '../../shared/model/inspection.ts';
import type { Network } from '../../shared/model/network.ts';
import type { FoundNode } from '../../shared/model/node.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Wallet } from '../../shared/model/wallet.ts';
import {
  balanceLine,
  balanceWords,
  listedBalance,
  walletBalance,
} from '../../shared/wording/balanceWords.ts';
import { findingText } from '../../shared/wording/findings/findingWords.ts';
import { counted } from '../../shared/wording/format/counted.ts';
import { formatExactSize } from '../../shared/wording/format/formatSize.ts';
import { listed, listedApart } from '../../shared/wording/format/listed.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { quotedWallet } from '../../shared/wording/format/walletLabel.ts';
import {
  birthWords,
  encryptionWords,
  flagWords,
  keyFacts,
  kindWords,
  networkFound,
  readWords,
} from '../../shared/wording/inspectionWords.ts';
import { backAsWords, NO_COPY, SET_ASIDE } from '../../shared/wording/interruptionWords.ts';
import { errorLines, indented, type Row, rows, section, table } from '../../shared/wording/lines.ts';
import { previewedWallets } from '../../shared/wording/migratedWallets.ts';
import { say } from '../../shared/wording/say.ts';
import { authorityOf } from '../bitcoind/rpc/connectionErrors.ts';
import { partlyReadLines } from './connect.ts';

/** `offline`: the balances come from the offline engine. */
export function walletLines(
  wallets: readonly Wallet[],
  { network, offline }: { network: Network; offline: boolean },
): string[] {
  if (wallets.length === 0) return [say('No wallets yet')];
  const heads = [say('Wallet'), say('Kind'), say('Encrypted'), say('Loaded'), say('Balance')];
  const body = wallets.map((wallet) => {
    const { main, watched } = listedBalance(wallet, network);
    return [
      quotedWallet(wallet.name),
      wallet.interruption?.backAs === undefined ? KINDS[wallet.kind] : SET_ASIDE,
      yesOrNo(wallet.encrypted),
      yesOrNo(wallet.loaded),
      listed([walletBalance(main, network, offline || wallet.fromFile), watched ?? false]),
    ];
  });
  const notes = wallets.flatMap(({ name, warnings, problem, interruption }) => {
    const lines = [
      ...warnings,
      ...interruptionNotes(interruption),
      ...(problem === null ? [] : errorLines(problem)),
    ];
    return lines.length === 0 ? [] : ['', quotedWallet(name), ...indented(lines)];
  });
  return [...table([heads, ...body]), ...notes];
}

function interruptionNotes(interruption: Wallet['interruption']): string[] {
  if (interruption?.backAs !== undefined) return [backAsWords(interruption.backAs)];
  return interruption?.copies === 0 ? [NO_COPY] : [];
}

export function nodeLines(nodes: readonly FoundNode[]): string[] {
  if (nodes.length === 0) return [say('No node was found on this computer')];
  const lines = nodes.map(({ network, address, dataFolder, state }) => [
    networkName(network),
    `http://${authorityOf(address)}`,
    stateOf(state),
    dataFolder,
  ]);
  return [...table(lines), ...partlyReadLines(nodes)];
}

function stateOf(state: FoundNode['state']): string {
  switch (state.state) {
    case 'ready':
      return say('Bitcoin Core {release}', { release: state.node.release.text });
    case 'asks-login':
      return say('Asks for a login');
    case 'starting':
      return say('Starting up');
    case 'failed':
      return state.error.message;
  }
}

function yesOrNo(answer: boolean | null): string {
  if (answer === null) return say('Not known');
  return answer ? say('Yes') : say('No');
}

const KINDS: Readonly<Record<Wallet['kind'], string>> = {
  descriptor: say('Descriptor'),
  legacy: say('Legacy'),
  interrupted: say('Interrupted'),
  unknown: say('Not known'),
};

/** Prints the contents of a wallet file, as the page shows them. */
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
