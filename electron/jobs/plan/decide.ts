/** What follows from the facts of a job and the answers to it: its plan. The one place of verdicts. */
import { join } from 'node:path';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { identityOf } from '../../../shared/model/node.ts';
import { type Answers, type Ask, checksOf, type Plan } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { type Call, toPlannedCall } from '../../bitcoind/calls/call.ts';
import {
  backupCall,
  loadCall,
  migrationCalls,
  renameCall,
  rescanCalls,
  restoreCall,
  unloadCall,
} from '../../bitcoind/calls/walletCalls.ts';
import { canSkipLoading } from '../../bitcoind/rpc/release.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import {
  type BackupFacts,
  type CommonFacts,
  contentsOf,
  copyForNode,
  encryptionOf,
  type Gathered,
  type Looked,
  type MigrationFacts,
  type RescanFacts,
  type RestoreFacts,
} from './checkFacts.ts';
import { checkMigration, checkPlaced, checkRehearsal, type Rehearsed } from './checkMigration.ts';
import { checkLog, checkRescue, mendedFile, rescueOf } from './checkRescue.ts';
import { checkName, checkNamedFolder, checkRestore, needsMigration } from './checkRestore.ts';
import { checkDestination, checkLoaded } from './gatherBackup.ts';
import { checkRescanning, checkStart } from './gatherRescan.ts';
import { isForEngine } from './releaseChecks.ts';
import { backupAfterwards, setAsidePlaces, unloadsFor } from './setAside.ts';
import { cutOffCheck, isMissing } from './walletChecks.ts';

/** A plan as it is shown, with the calls that it is run by. */
export interface Decided {
  readonly plan: Plan;
  readonly calls: readonly Call[];
}

type Subject = Pick<Plan, 'id' | 'action' | 'source'>;

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
  const calls = part.calls.map(toPlannedCall);
  return {
    calls: part.calls,
    plan: {
      ...subject,
      kind: gathered.kind,
      wallet: name,
      node: { identity: identityOf(status), label, local, offline, release, network },
      ...part,
      checks: part.checks.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict]),
      sent: gathered.kind === 'migrate' ? gathered.facts.sent.map(toPlannedCall) : [],
      elsewhere: offline ? null : elsewhereOf(subject.action, part, gathered),
      calls,
    },
  };
}

type Parts = Pick<Plan, 'facts' | 'checks' | 'asks' | 'makes' | 'setAside' | 'copies'> &
  Pick<Decided, 'calls'>;

/** Whether a wallet cannot be brought over on this node, or may not be, but can be in the app's own engine. */
function elsewhereOf(
  action: Plan['action'],
  { facts, checks, asks }: Parts,
  gathered: Gathered,
): Plan['elsewhere'] {
  if (gathered.kind === 'backup' || gathered.kind === 'rescan') return null;
  // Nor may another coin's wallet be brought back there.
  if (checks.some(({ id, verdict }) => id === 'coin' && verdict === 'blocker')) return null;
  const ofTheNode = checksOf({ checks, asks })
    .filter(({ id }) => OF_THE_NODE.has(id))
    .map(({ verdict }) => verdict);
  const stops = ofTheNode.includes('blocker');
  const work = gathered.kind === 'rescue' ? 'rescuing' : 'migrating';
  const isForIt = gathered.kind !== 'restore' && isForEngine(gathered.facts, work);
  // A wallet of the node can be brought over by its file, where that lies on this machine.
  if (action === 'migrate') return (stops || isForIt) && facts.path !== null ? 'this-file' : null;
  if (isForIt) return 'this-file';
  if (facts.file !== null) return stops ? 'this-file' : null;
  return stops || ofTheNode.includes('warning') ? 'another-file' : null;
}

const OF_THE_NODE: ReadonlySet<Check['id']> = new Set([
  'release',
  'wallets-folder',
  'network',
  'pruned',
  'node-user',
]);

interface Answered {
  readonly answers: Answers;
  readonly rehearsed: Rehearsed | null;
}

function partsOf(gathered: Gathered, answered: Answered): Parts {
  switch (gathered.kind) {
    case 'restore':
      return restoreParts(gathered.facts, answered.answers);
    case 'restore-migrate':
      return placedParts(gathered.facts, gathered.unnamed, answered);
    case 'rescue':
      return placedParts(gathered.facts, null, answered);
    case 'migrate':
      return migrateParts(gathered.facts, answered);
    case 'backup':
      return backupParts(gathered.facts);
    case 'rescan':
      return rescanParts(gathered.facts, answered.answers);
  }
}

function restoreParts(facts: RestoreFacts, answers: Answers): Parts {
  const { name, setAside, looked, rescue } = facts;
  const backupFile = mendedFile(facts) ?? copyForNode(facts) ?? backupAfterwards(facts);
  const isSealed = hasSealedKeys(looked);
  const loadOnStartup = answers.loadOnStartup ?? null;
  const contents = contentsOf(looked);
  return {
    facts: factsOf(looked, facts.file),
    checks: rescue === null ? checkRestore(facts) : checkRescue(facts),
    asks: [
      { ask: 'name', value: name, check: checkName(facts) },
      ...(rescue === null ? [] : rescuePassphrase(facts, null)),
      { ask: 'load-on-startup', value: loadOnStartup },
      ...coinAsk(looked, answers),
    ],
    calls: [
      ...(facts.putsBack ? unloadsFor(facts) : setAside.map(renameCall)),
      restoreCall({ name, backupFile, loadOnStartup }),
    ],
    makes: [
      {
        part: 'primary',
        name,
        descriptors: contents?.kind === 'descriptor' && !isSealed ? contents.descriptors.total : null,
        certain: true,
      },
    ],
    ...asideOf(facts),
    copies: rescue === null && copyForNode(facts) === null ? [] : copiesOf(facts),
  };
}

/** Of a copy that is placed among the wallets and migrated there: of a file, or of what a rescue saved of it. */
function placedParts(facts: RestoreFacts, unnamed: MigrationFacts | null, answered: Answered): Parts {
  const { name, looked, status, rescue } = facts;
  const encrypted = encryptionOf(looked);
  const { loads, asks, calls, makes } = migrationOf(facts, answered, { encrypted, loaded: false });
  const checks = rescue === null ? checkPlaced(facts, unnamed, loads) : checkRescue(facts, loads);
  return {
    facts: factsOf(looked, facts.file),
    checks: [...checks, ...checkRehearsal(answered.rehearsed)],
    asks: [
      { ask: 'name', value: name, check: checkName(facts) },
      ...(rescue === null ? passphraseAsk(encrypted, looked) : rescuePassphrase(facts, true)),
      ...asks,
      ...logAsk(facts),
      ...folderAsk(facts),
    ],
    calls: [...unloadsFor(facts), ...calls],
    makes,
    ...asideOf(facts),
    copies: [
      ...copiesOf(facts),
      {
        text: say('The node migrates a second copy in its wallets folder.'),
        folder: status.walletsFolder === null || name === '' ? null : join(status.walletsFolder, name),
      },
      NODES_BACKUP,
    ],
  };
}

function asideOf(facts: RestoreFacts): Pick<Plan, 'setAside'> {
  const setAside = setAsidePlaces(facts);
  return setAside.length === 0 ? {} : { setAside };
}

/** What the app copies of a file, and of a rescue what it makes of that. */
function copiesOf(facts: RestoreFacts): Plan['copies'] {
  const { looked, rescue, copyFolder } = facts;
  const isRecovered = looked.state === 'seen' && looked.recovered === true;
  const isForNode = !needsMigration(facts) && copyForNode(facts) !== null;
  const texts = [
    isRecovered
      ? say('The app saves the file and its journal as one whole file, and uses that.')
      : isForNode
        ? say('The file is read-only. The node gets a writable copy.')
        : say('The app copies the file first.'),
    ...(rescue === null ? [] : [say('A repaired copy stays next to it until the end.')]),
  ];
  return texts.map((text) => ({ text, folder: copyFolder }));
}

function migrateParts(facts: MigrationFacts, answered: Answered): Parts {
  const { name, copy, looked, loaded: before, info } = facts;
  if (isMissing(facts))
    return {
      facts: factsOf(looked, null, null),
      ...{ checks: checkMigration(facts), asks: [], calls: [], makes: [], copies: [] },
    };
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
  const { name, destination, place, loaded, isLegacy } = facts;
  const backup = backupCall(name, place ?? destination);
  const calls = loaded.includes(name)
    ? [backup]
    : [loadCall(name), backup, { ...unloadCall(name), last: true } as const];
  return {
    facts: factsOf({ state: 'elsewhere' }, null),
    checks: [facts.isInterrupted ? cutOffCheck() : checkLoaded(facts)],
    asks: [{ ask: 'destination', value: destination, check: checkDestination(facts) }],
    calls: isLegacy ? [] : calls,
    makes: [],
    copies: [],
  };
}

function rescanParts(facts: RescanFacts, answers: Answers): Parts {
  const { name, from, info, how } = facts;
  const looked: Looked = { state: 'elsewhere' };
  const encrypted = info?.encrypted ?? null;
  const withPassphrase = encrypted ?? answers.withPassphrase === true;
  return {
    facts: factsOf(looked, null),
    checks: checkRescanning(facts),
    asks: [
      ...(how === 'loaded' || how === 'unloaded' ? passphraseAsk(encrypted, looked) : []),
      { ask: 'rescan-from', value: from, check: checkStart(facts) },
    ],
    calls: rescanCalls(name, { from, loaded: how === 'loaded', withPassphrase }),
    makes: [],
    copies: [],
  };
}

/** What crosses of an inspection the contract says. `file`: the one that was chosen. */
function factsOf(looked: Looked, file: FileFacts | null, path = file?.path ?? null): Plan['facts'] {
  const sha256 = looked.state === 'seen' ? looked.sha256 : null;
  return { file, path, sha256, rescue: rescueOf(looked), contents: contentsOf(looked) };
}

/** Exported for its test: what a try costs is told before it is made. */
export function passphraseAsk(encrypted: boolean | null, looked: Looked): Ask[] {
  if (encrypted === false) return [];
  const contents = contentsOf(looked);
  const sealed = Math.round((rescueOf(looked)?.sealed ?? 0) * SECONDS_PER_SEALED_KEY);
  const seconds = (contents?.encryption?.secondsPerTry ?? 0) + sealed;
  return [
    {
      ask: 'passphrase',
      needed: encrypted === true,
      canBeTried: contents !== null,
      secondsPerTry: seconds === 0 ? null : seconds,
    },
  ];
}

/**
 * Of a rescue. Keys that need a passphrase never hold up those that need none: it is needed only where there are no others, and
 * an encrypted wallet can be left where it is. `ifEncrypted`: whether an encrypted one needs it.
 */
function rescuePassphrase({ looked, rescue }: RestoreFacts, ifEncrypted: true | null): Ask[] {
  const facts = rescueOf(looked);
  const open = facts?.open ?? 0;
  const openOnly = open > 0 ? { openOnly: { value: rescue?.openOnly === true, keys: open } } : {};
  const asksFor = (needed: boolean | null) =>
    passphraseAsk(needed, looked).map((one) => ({ ...one, ...openOnly }));
  if (encryptionOf(looked) !== false) return asksFor(encryptionOf(looked) && ifEncrypted);
  if (facts === null || facts.sealed === 0) return [];
  return asksFor(ifEncrypted === true && facts.saved.keys === 0 ? true : null);
}

/** BIP 38 asks for scrypt of 16 MB for each key, which takes a quarter of a second. */
const SECONDS_PER_SEALED_KEY = 0.25;

function logAsk(facts: RestoreFacts): Ask[] {
  const check = facts.rescue && checkLog(facts);
  if (check === null) return [];
  const { looked, rescue } = facts;
  const named = typeof rescue?.logs === 'object' ? rescue.logs.in : '';
  return [{ ask: 'logs', value: rescueOf(looked)?.log?.folder ?? named, check }];
}

function folderAsk(facts: RestoreFacts): Ask[] {
  const check = checkNamedFolder(facts);
  return check === null ? [] : [{ ask: 'wallets-folder', check }];
}

function coinAsk(looked: Looked, answers: Answers): Ask[] {
  const verdict = contentsOf(looked)?.coin.verdict;
  const isOpen = verdict === 'ambiguous' || verdict === 'unknown';
  return isOpen ? [{ ask: 'bitcoin-keys', value: answers.bitcoinKeys === true }] : [];
}

/** Those of a migration, under names that follow from the wallet's. */
function wallets(name: string, looked: Looked): Plan['makes'] {
  const preview = contentsOf(looked)?.migration ?? null;
  const made = (part: WalletPart, counted: { descriptors: number } | null = null): Plan['makes'] => {
    if (preview !== null && counted === null) return [];
    const own = part === 'primary' ? name : `${companionPrefix(name)}_${part}`;
    const descriptors = counted === null || hasSealedKeys(looked) ? null : counted.descriptors;
    return [{ part, name: own, descriptors, certain: counted !== null }];
  };
  return [
    ...made('primary', preview?.primary),
    ...made('watchonly', preview?.watchOnly),
    ...made('solvables', preview?.solvables),
  ];
}

/** What they make is not known before they are opened. */
function hasSealedKeys(looked: Looked): boolean {
  return (rescueOf(looked)?.sealed ?? 0) > 0;
}

const NODES_BACKUP = {
  text: say('The migration then makes a backup that ends in .legacy.bak.'),
  folder: null,
};

const RANK: Readonly<Record<Check['verdict'], number>> = { fine: 0, unseen: 1, warning: 2, blocker: 3 };

/**
 * Whether one and the same plan should not be run as it was shown: a verdict got worse, other calls would be sent, or the
 * log of a file that is rescued tells of something else.
 */
export function isWorse(shown: Plan, now: Plan): boolean {
  // Checks of one id count by the gravest.
  const before = (id: Check['id']) =>
    Math.max(...checksOf(shown).map((check) => (check.id === id ? RANK[check.verdict] : RANK.fine)));
  const worse = checksOf(now).some(({ id, verdict }) => RANK[verdict] > Math.max(RANK.unseen, before(id)));
  const told = ({ calls, kind, facts }: Plan) => JSON.stringify([calls, kind, facts.rescue?.log]);
  return worse || told(shown) !== told(now);
}
