/** Known dangers and limits of migrating one wallet on one node, as far as they can be told beforehand. */
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { formatCount } from '../../words/formatCount.ts';
import type { Remark } from '../remark.ts';
import { syncingRemark } from '../syncingRemark.ts';
import { isUnclosed } from './isUnclosed.ts';

/**
 * Reasons to stop come first. `others` are the names of all wallets of the node; `found` is what is in the wallet's
 * file, null where it could not be looked at.
 */
export function migrationRemarks(
  wallet: Wallet,
  node: NodeStatus,
  others: readonly string[],
  found: Inspection | null,
): Remark[] {
  const remarks: (Remark | null)[] = [
    unsupported(node),
    // The offline engine has a chain neither to lack nor to be behind, and not the faults of the release it speaks as.
    ...(node.offline ? [] : [unnamedDanger(wallet, node)]),
    alreadyDescriptor(wallet),
    ...(node.offline ? [] : [withdrawn(wallet, node), node.pruned ? pruned(node.pruneHeight) : null]),
    nameTaken(wallet, others, found),
    ...(node.offline ? [] : [syncingRemark(node)]),
    unknownKind(wallet),
    ...(node.offline ? [] : [experimental(node)]),
    notClosed(node, found),
  ];
  return remarks.filter((remark) => remark !== null);
}

/** For a name that the node does not list (any more). */
export function missingWallet(name: string): Remark {
  return {
    key: 'missing-wallet',
    tone: 'read',
    stops: true,
    title: name === '' ? 'The node has no unnamed wallet' : `The node has no wallet “${name}”`,
    text: ['It may have another name now, or have been moved. Go back and choose from the list.'],
  };
}

/** The releases whose failing migration of the unnamed wallet can remove the wallets folder; fixed in 30.2. */
function isWithdrawn({ release }: NodeStatus): boolean {
  return release.number >= 300_000 && release.number < 300_200;
}

function unsupported({ release }: NodeStatus): Remark | null {
  if (release.migrates !== 'no') return null;
  return {
    key: 'no-migratewallet',
    tone: 'read',
    stops: true,
    title: `Release ${release.text} cannot migrate`,
    text: [
      'The call migratewallet came with release 24 and is fit for use from 25 on. What is needed: this wallet in a node of release 25 to 29, which loads it and migrates it, or of release 30.2 or later, which migrates it from its wallets folder.',
      'Nothing was changed.',
    ],
  };
}

/** Public notice of 5 January 2026, bitcoin/bitcoin#34128; seen on 30.0 with a pruned regtest node. */
function unnamedDanger({ name }: Wallet, node: NodeStatus): Remark | null {
  if (name !== '' || !isWithdrawn(node)) return null;
  return {
    key: 'unnamed-danger',
    tone: 'danger',
    stops: true,
    title: `Release ${node.release.text} can delete all your wallets here`,
    text: [
      'If the migration of the unnamed wallet fails on release 30.0 or 30.1, the node can delete its whole wallets folder: every wallet in it and the fresh backup too. Both releases were withdrawn for this fault. The app does not start this migration.',
      'What to do: stop the node, copy the whole wallets folder to another disk, and update the node to release 30.2 or later. Then connect again and migrate.',
      'Or, with the node stopped and the folder copied: put wallet.dat into a new folder within the wallets folder, start the node and migrate the wallet of that folder’s name.',
    ],
  };
}

function withdrawn({ name }: Wallet, node: NodeStatus): Remark | null {
  if (name === '' || !isWithdrawn(node)) return null;
  return {
    key: 'withdrawn-release',
    tone: 'read',
    stops: false,
    title: `Release ${node.release.text} was withdrawn`,
    text: [
      'A failing migration of the unnamed wallet can delete wallets on it. This wallet has a name and is not known to be concerned. Release 30.2 or later is the safer choice.',
    ],
  };
}

function alreadyDescriptor({ kind }: Wallet): Remark | null {
  if (kind !== 'descriptor') return null;
  return {
    key: 'already-descriptor',
    tone: 'good',
    stops: true,
    title: 'This is a descriptor wallet already',
    text: ['There is nothing to migrate.'],
  };
}

function pruned(height: number | null): Remark {
  const kept = height === null ? 'only the newest blocks' : `only blocks from ${formatCount(height)} on`;
  return {
    key: 'pruned',
    tone: 'read',
    stops: false,
    title: 'This node is pruned',
    text: [
      `It keeps ${kept}. If the wallet was last in step with the chain before that, the migrated wallet cannot be loaded: the migration fails at its end, and the wallet stays legacy.`,
      'If the wallet was not loaded here for a long time, migrate it on a node that is not pruned.',
    ],
  };
}

/** The names that the node gives to the two wallets that may come beside the main one. */
function nameTaken(
  { name }: Wallet,
  others: readonly string[],
  found: Pick<Inspection, 'migration'> | null,
): Remark | null {
  // Releases differ in what they build on for the unnamed wallet.
  const stems = name === '' ? ['', 'default_wallet'] : [name];
  const suffixes = suffixesNeeded(found?.migration ?? null);
  const needed = stems.flatMap((stem) => suffixes.map((suffix) => `${stem}${suffix}`));
  const taken = needed.filter((wanted) => others.includes(wanted));
  if (taken.length === 0) return null;
  return {
    key: 'name-taken',
    tone: 'read',
    stops: false,
    title: 'A name that the migration may need is taken',
    text: [
      `There is a wallet “${taken.join('” and one “')}” already. If this migration has to make a wallet of that name, it may fail, and the wallet stays legacy.`,
    ],
  };
}

/** Both, where the file could not be looked at. */
function suffixesNeeded(preview: Inspection['migration']): string[] {
  if (!preview) return ['_watchonly', '_solvables'];
  return [preview.watchOnly, preview.solvables].flatMap((further) => (further ? [further.suffix] : []));
}

function unknownKind({ kind }: Wallet): Remark | null {
  if (kind !== 'unknown') return null;
  return {
    key: 'unknown-kind',
    tone: 'info',
    stops: false,
    title: 'The kind of this wallet is not known',
    text: [
      'It is not loaded, and the node does not tell the kind before. If it turns out to be a descriptor wallet, the node refuses and nothing is changed.',
    ],
  };
}

function experimental({ release }: NodeStatus): Remark | null {
  if (release.migrates !== 'unlock-first') return null;
  return {
    key: 'experimental',
    tone: 'read',
    stops: false,
    title: `On release ${release.text} migration is experimental`,
    text: [
      'It became a regular part of the node later. A node of release 25 or later is the safer choice. On this one an encrypted wallet is unlocked for the length of the migration.',
    ],
  };
}

function notClosed({ release, offline }: NodeStatus, found: Pick<Inspection, 'file'> | null): Remark | null {
  if (found && isUnclosed(found) && (offline || !release.loadsLegacy)) {
    return {
      key: 'not-closed',
      tone: 'read',
      stops: false,
      title: 'The wallet’s file was not closed cleanly',
      text: [
        `${offline ? 'The offline engine' : 'A node of this release'} refuses such a file, because its last changes may be missing from it. It has to be opened and closed once by a node of release 29 or earlier that still has its database folder. Nothing is changed by the refusal.`,
      ],
    };
  }
  if (release.loadsLegacy || found) return null;
  return {
    key: 'not-closed',
    tone: 'info',
    stops: false,
    title: 'The wallet’s file must have been closed cleanly',
    text: [
      'From release 30 on the node refuses a legacy file whose database was not closed properly (“LSNs are not reset”). It then has to be opened and closed once by a node of release 29 or earlier. Nothing is changed by the refusal.',
    ],
  };
}
