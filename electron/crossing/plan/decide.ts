/** What follows from the facts of a crossing and the answers to it: its plan. The one place of verdicts. */
import { join } from 'node:path';
import type { FileFacts } from '../../../shared/files.ts';
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import { identityOf } from '../../../shared/node.ts';
import { type Answers, type Ask, checksOf, type Plan } from '../../../shared/plan.ts';
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { type Call, shownCall } from '../../node/calls/call.ts';
import { backupCall, migrationCalls, renameCall, restoreCall } from '../../node/calls/walletCalls.ts';
import { canSkipLoading } from '../../node/rpc/release.ts';
import { companionPrefix } from '../../wallet/migrate/companionNames.ts';
import {
  type BackupFacts,
  type CommonFacts,
  contentsOf,
  type Looked,
  type MigrationFacts,
  type RestoreFacts,
} from './checkFacts.ts';
import { checkMigration, checkRehearsal, type Rehearsed } from './checkMigration.ts';
import { checkLog, checkRescue, mendedFile, rescueOf } from './checkRescue.ts';
import { checkName, checkRestore, needsMigration } from './checkRestore.ts';
import { checkDestination, checkLoaded } from './gatherBackup.ts';
import { checkUnnamed, isForEngine } from './releaseChecks.ts';
import { backupAfterwards } from './setAside.ts';
import { checkExists, checkHeld } from './walletChecks.ts';

/** All that was found for a plan, by the way that it goes. */
export type Gathered =
  | { readonly kind: 'restore'; readonly facts: RestoreFacts }
  /** `unnamed`: the wallet that a copy is migrated of, under a name of its own. */
  | {
      readonly kind: 'restore-migrate';
      readonly facts: RestoreFacts;
      readonly unnamed: MigrationFacts | null;
    }
  | { readonly kind: 'rescue'; readonly facts: RestoreFacts }
  | { readonly kind: 'migrate'; readonly facts: MigrationFacts }
  | { readonly kind: 'backup'; readonly facts: BackupFacts };

/** A plan as it is shown, with the calls that it is run by. */
export interface Decided {
  readonly plan: Plan;
  readonly calls: readonly Call[];
}

type Subject = Pick<Plan, 'id' | 'wanted' | 'source'>;

/** Pure. `rehearsed`: what a rehearsal of it came to; null where there was none. */
export function decide(
  subject: Subject,
  gathered: Gathered,
  answers: Answers,
  rehearsed: Rehearsed | null,
): Decided {
  const part = partsOf(gathered, { answers, rehearsed });
  const { status, name } = gathered.facts;
  const { label, local, offline, release, network } = status;
  const calls = part.calls.map(shownCall);
  return {
    calls: part.calls,
    plan: {
      ...subject,
      kind: gathered.kind,
      wallet: name,
      node: { identity: identityOf(status), label, local, offline, release, network },
      ...part,
      checks: byVerdict(part.checks),
      sent:
        gathered.kind === 'migrate'
          ? gathered.facts.sent.map((call) => shownCall({ ...call, when: SENT_AT_EACH_LOOK }))
          : [],
      elsewhere: offline ? null : elsewhereOf(subject.wanted, part, gathered),
      calls,
    },
  };
}

interface Parts
  extends Omit<Plan, keyof Subject | 'kind' | 'wallet' | 'node' | 'sent' | 'calls' | 'elsewhere'> {
  readonly calls: readonly Call[];
}

const SENT_AT_EACH_LOOK = say('Sent at each look, to read the file.');

/** Whether a wallet cannot be brought over on this node, or may not be, but can be in the app's own engine. */
function elsewhereOf(
  wanted: Plan['wanted'],
  { facts, checks }: Parts,
  gathered: Gathered,
): Plan['elsewhere'] {
  if (gathered.kind === 'backup') return null;
  // Nor may another coin's wallet be brought back there.
  if (checks.some(({ id, verdict }) => id === 'coin' && verdict === 'stop')) return null;
  const ofTheNode = checks.filter(({ id }) => OF_THE_NODE.has(id)).map(({ verdict }) => verdict);
  const stops = ofTheNode.includes('stop');
  const work = gathered.kind === 'rescue' ? 'rescuing' : 'migrating';
  const isForIt = gathered.kind !== 'restore' && isForEngine(gathered.facts, work);
  // A wallet of the node can be brought over by its file, where that lies on this machine.
  if (wanted === 'migrate') return (stops || isForIt) && facts.path !== null ? 'this-file' : null;
  if (isForIt) return 'this-file';
  if (facts.file !== null) return stops ? 'this-file' : null;
  return stops || ofTheNode.includes('read') ? 'another-file' : null;
}

const OF_THE_NODE: ReadonlySet<Check['id']> = new Set(['release', 'wallets-folder', 'network', 'pruned']);

interface Answered {
  readonly answers: Answers;
  readonly rehearsed: Rehearsed | null;
}

function partsOf(gathered: Gathered, answered: Answered): Parts {
  switch (gathered.kind) {
    case 'restore':
      return restoreParts(gathered.facts, answered.answers);
    case 'restore-migrate':
      return restoreMigrateParts(gathered.facts, gathered.unnamed, answered);
    case 'rescue':
      return rescueParts(gathered.facts, answered);
    case 'migrate':
      return migrateParts(gathered.facts, answered);
    case 'backup':
      return backupParts(gathered.facts);
  }
}

function restoreParts(facts: RestoreFacts, answers: Answers): Parts {
  const { name, setAside, looked, rescue, copyFolder } = facts;
  const backupFile = mendedFile(facts) ?? backupAfterwards(facts);
  const isSealed = hasSealedKeys(looked);
  const isLocked = rescue !== null && (encryptionOf(looked) === true || isSealed);
  const loadOnStartup = answers.loadOnStartup ?? null;
  const contents = contentsOf(looked);
  return {
    facts: factsOf(looked, facts.file),
    checks: rescue === null ? checkRestore(facts) : checkRescue(facts),
    asks: [
      nameAsk(facts),
      ...(isLocked ? passphraseAsk(null, looked) : []),
      { ask: 'load-on-startup', value: loadOnStartup },
      ...coinAsk(looked, answers),
    ],
    calls: [...setAside.map(renameCall), restoreCall({ name, backupFile, loadOnStartup })],
    makes: [
      {
        part: 'primary',
        name,
        descriptors: contents?.kind === 'descriptor' && !isSealed ? contents.descriptors.total : null,
        certain: true,
      },
    ],
    copies:
      rescue === null
        ? []
        : [{ text: say('The app copies the file first.'), folder: copyFolder }, mendedCopy(facts)],
  };
}

function mendedCopy({ copyFolder }: RestoreFacts): Plan['copies'][number] {
  return { text: say('Beside it, a mended copy until the end.'), folder: copyFolder };
}

function restoreMigrateParts(facts: RestoreFacts, unnamed: MigrationFacts | null, answered: Answered): Parts {
  return placedParts(facts, answered, (loads) => [
    ...(unnamed === null ? [] : [checkExists(unnamed), checkUnnamed(unnamed), checkHeld(unnamed)]),
    // Why a copy is migrated, the check on the unnamed wallet tells.
    ...checkRestore(facts, loads).filter(
      ({ id, verdict }) => unnamed === null || id !== 'release' || verdict === 'stop',
    ),
  ]);
}

/** Of a copy of a file that is placed among the wallets and migrated there. `loads`: whether the node loads what comes of it. */
function placedParts(
  facts: RestoreFacts,
  answered: Answered,
  checks: (loads: boolean) => readonly Check[],
): Parts {
  const { name, looked, status, copyFolder } = facts;
  const encrypted = encryptionOf(looked);
  const { loads, asks, calls, makes } = migrationOf(facts, answered, { encrypted, loaded: false });
  return {
    facts: factsOf(looked, facts.file),
    checks: [...checks(loads), ...checkRehearsal(answered.rehearsed)],
    asks: [nameAsk(facts), ...passphraseAsk(encrypted, looked), ...asks],
    calls,
    makes,
    copies: [
      { text: say('The app copies the file first.'), folder: copyFolder },
      {
        text: say('The node migrates a second copy in its wallets folder.'),
        folder: status.walletsFolder === null || name === '' ? null : join(status.walletsFolder, name),
      },
      NODES_BACKUP,
    ],
  };
}

/** What they make is not known before they are opened. */
function hasSealedKeys(looked: RestoreFacts['looked']): boolean {
  return (rescueOf(looked)?.sealed ?? 0) > 0;
}

function rescueParts(facts: RestoreFacts, answered: Answered): Parts {
  const { looked, rescue } = facts;
  const parts = placedParts(facts, answered, (loads) => checkRescue(facts, loads));
  const log = checkLog(facts);
  const isSealed = hasSealedKeys(looked);
  const folder = rescueOf(looked)?.log?.folder ?? (typeof rescue?.logs === 'object' ? rescue.logs.in : '');
  return {
    ...parts,
    makes: parts.makes.map((made) => (isSealed ? { ...made, descriptors: null } : made)),
    copies: parts.copies.toSpliced(1, 0, mendedCopy(facts)),
    asks: [
      ...parts.asks,
      ...(isSealed ? passphraseAsk(true, looked) : []),
      ...(log === null ? [] : [{ ask: 'logs', value: folder, check: log } as const]),
    ],
  };
}

function migrateParts(facts: MigrationFacts, answered: Answered): Parts {
  const { name, copy, looked, loaded: before, info } = facts;
  const encrypted = info?.encrypted ?? encryptionOf(looked);
  const loaded = before.includes(name) || copy.calls.some(({ method }) => method === 'loadwallet');
  const { loads, asks, calls, makes } = migrationOf(facts, answered, { encrypted, loaded });
  const hasOwnCopy = answered.answers.hasOwnCopy === true;
  return {
    facts: factsOf(looked, null, copy.file),
    checks: [...checkMigration(facts, loads), ...checkRehearsal(answered.rehearsed)],
    asks: [
      ...passphraseAsk(encrypted, looked),
      ...(copy.way === 'cannot' ? [{ ask: 'own-copy', value: hasOwnCopy } as const] : []),
      ...asks,
    ],
    calls: [...copy.calls, ...calls],
    makes,
    copies: [{ text: copy.text, folder: copy.folder }, NODES_BACKUP],
  };
}

/** What all have that ends in a migration. `encrypted`: null where it is not known. `loaded`: once it is sent. */
function migrationOf(
  { name, looked, status: { release, offline } }: CommonFacts,
  { answers, rehearsed }: Answered,
  { encrypted, loaded }: { encrypted: boolean | null; loaded: boolean },
) {
  const canSkip = !offline && canSkipLoading(release);
  const loads = !canSkip || (answers.loadAfterwards ?? true);
  const withPassphrase = encrypted ?? answers.withPassphrase === true;
  const asks: Ask[] = [
    ...coinAsk(looked, answers),
    ...(rehearsed?.loss ? [{ ask: 'read-loss', value: answers.lossRead === true } as const] : []),
    ...(canSkip ? [{ ask: 'load-afterwards', value: loads } as const] : []),
  ];
  const calls = migrationCalls(release, { name, loaded, withPassphrase, loads });
  return { loads, asks, calls, makes: wallets(name, looked) };
}

function backupParts(facts: BackupFacts): Parts {
  const { name, destination, place } = facts;
  return {
    facts: factsOf({ state: 'elsewhere' }, null),
    checks: [checkLoaded(facts)],
    asks: [{ ask: 'destination', value: destination, check: checkDestination(facts) }],
    calls: [backupCall(name, place ?? destination)],
    makes: [],
    copies: [],
  };
}

/** What crosses of an inspection the contract says. `file`: the one that was chosen. */
function factsOf(looked: Looked, file: FileFacts | null, path = file?.path ?? null): Plan['facts'] {
  const sha256 = looked.state === 'seen' ? looked.sha256 : null;
  return { file, path, sha256, rescue: rescueOf(looked), contents: contentsOf(looked) };
}

/** Whether the wallet is encrypted, by its file; null: not known. */
export function encryptionOf(looked: Looked): boolean | null {
  const contents = contentsOf(looked);
  return contents && contents.encryption !== null;
}

function nameAsk(facts: RestoreFacts): Ask {
  return { ask: 'name', value: facts.name, check: checkName(facts, needsMigration(facts)) };
}

function passphraseAsk(encrypted: boolean | null, looked: Looked): Ask[] {
  if (encrypted === false) return [];
  const contents = contentsOf(looked);
  return [
    {
      ask: 'passphrase',
      needed: encrypted === true,
      canBeTried: contents !== null,
      secondsPerTry: contents?.encryption?.secondsPerTry ?? null,
    },
  ];
}

function coinAsk(looked: Looked, answers: Answers): Ask[] {
  const verdict = contentsOf(looked)?.coin.verdict;
  const isOpen = verdict === 'ambiguous' || verdict === 'unknown';
  return isOpen ? [{ ask: 'bitcoin-keys', value: answers.bitcoinKeys === true }] : [];
}

/** Those of a migration, under names that follow from the wallet's. */
function wallets(name: string, looked: Looked): Plan['makes'] {
  const preview = contentsOf(looked)?.migration ?? null;
  const made = (part: WalletPart, counted: { descriptors: number } | null): Plan['makes'] => {
    if (preview !== null && counted === null) return [];
    const own = part === 'primary' ? name : `${companionPrefix(name)}_${part}`;
    return [{ part, name: own, descriptors: counted?.descriptors ?? null, certain: counted !== null }];
  };
  return [
    ...made('primary', preview?.primary ?? null),
    ...made('watchonly', preview?.watchOnly ?? null),
    ...made('solvables', preview?.solvables ?? null),
  ];
}

const NODES_BACKUP = { text: say('Then a backup that ends in .legacy.bak is made.'), folder: null };

function byVerdict(checks: readonly Check[]): Check[] {
  return [...checks].sort((a, b) => RANK[b.verdict] - RANK[a.verdict]);
}

const RANK: Readonly<Record<Check['verdict'], number>> = { fine: 0, unseen: 1, read: 2, stop: 3 };

/**
 * Whether one and the same plan should not be run as it was shown: a verdict got worse, other calls would be sent, or the
 * log of a file that is rescued tells of something else.
 */
export function isWorse(shown: Plan, now: Plan): boolean {
  const before = new Map(verdictsOf(shown));
  const worse = verdictsOf(now).some(([id, rank]) => rank > Math.max(RANK.unseen, before.get(id) ?? 0));
  const told = ({ calls, kind, facts }: Plan) => JSON.stringify([calls, kind, facts.rescue?.log]);
  return worse || told(shown) !== told(now);
}

/** Checks of one id count by the gravest. */
function verdictsOf(plan: Plan): [id: string, rank: number][] {
  return checksOf(plan)
    .map(({ id, verdict }): [string, number] => [id, RANK[verdict]])
    .sort(([, a], [, b]) => a - b);
}
