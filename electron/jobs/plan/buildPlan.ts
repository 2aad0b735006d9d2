/** Builds a plan from its facts and the user's answers. The checks in this folder decide the verdicts. */
import { join } from 'node:path';
import type { FileFacts } from '../../../shared/model/files.ts';
import { passphraseNeed } from '../../../shared/model/inspection.ts';
import { NEW_ACTIVE_DESCRIPTORS, type WalletPart } from '../../../shared/model/migrationPreview.ts';
import { identityOf } from '../../../shared/model/node.ts';
import { type Answers, checksOf, type Plan, type Question } from '../../../shared/model/plan.ts';
import { type Check, isPartlySealed, SEVERITY } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { type Call, toPlannedCall } from '../../bitcoind/calls/call.ts';
import {
  backupCall,
  loadCall,
  migrationCalls,
  renameBackCalls,
  renameCall,
  rescanCalls,
  restoreCall,
  unloadCall,
} from '../../bitcoind/calls/walletCalls.ts';
import { canSkipLoading } from '../../bitcoind/rpc/session.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import {
  type BackupFacts,
  type CommonFacts,
  contentsOf,
  copyForNode,
  encryptionOf,
  type FileInspection,
  isJoinedWithJournal,
  type MigrationFacts,
  OUT_OF_REACH,
  openedFacts,
  type PlanFacts,
  type RescanFacts,
  type RestoreFacts,
} from './checkFacts.ts';
import {
  checkMigration,
  checkPlaced,
  checkRehearsal,
  closedQuestion,
  coinQuestion,
  type RehearsalOutcome,
} from './checkMigration.ts';
import { nameQuestion } from './checkName.ts';
import { checkRescue, logMismatch, logQuestion, plannedRepair, rescueFactsOf } from './checkRescue.ts';
import { checkNamedFolder, checkRestore, needsMigration } from './checkRestore.ts';
import { checkDestination, checkLoaded } from './gatherBackup.ts';
import { checkRescanning, checkStart } from './gatherRescan.ts';
import { isForEngine } from './nodeChecks.ts';
import { incompleteWalletCheck, isWalletMissing } from './walletChecks.ts';
import { listMovedWallets, unloadsFor } from './walletRenames.ts';

/** The plan to show, and the calls that run it after its preparation. `rehearsal`: null before a rehearsal. */
export function buildPlan(
  subject: Pick<Plan, 'id' | 'action' | 'source'>,
  facts: PlanFacts,
  answers: Answers,
  rehearsal: Pick<RehearsalOutcome, 'loss'> | null,
): { plan: Plan; calls: readonly Call[] } {
  const opened = answers.withPassphrase === true ? openedFacts(facts) : facts;
  const locked = 'fileInspection' in facts ? facts.fileInspection : OUT_OF_REACH;
  const { earlierCalls = [], calls, ...parts } = buildContent(opened, { answers, rehearsal, locked });
  const { status, name } = facts;
  const { label, local, offline, release, network } = status;
  return {
    calls,
    plan: {
      ...subject,
      kind: facts.kind,
      wallet: name,
      node: { identity: identityOf(status), label, local, offline, release, network },
      ...parts,
      checks: parts.checks.toSorted((a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict]),
      sent: facts.kind === 'migrate' ? facts.sent.map(toPlannedCall) : [],
      elsewhere: offline ? null : suggestEngine(subject.action, parts, opened),
      calls: [...earlierCalls, ...calls].map(toPlannedCall),
    },
  };
}

type Shown = 'facts' | 'checks' | 'asks' | 'makes' | 'movedWallets' | 'isKept' | 'copies';
type PlanContent = Pick<Plan, Shown> & {
  /** Those that the job sends while it prepares. */
  readonly earlierCalls?: readonly Call[];
  readonly calls: readonly Call[];
};

/** Whether the app's own engine can do the job where this node cannot, or may fail. */
function suggestEngine(
  action: Plan['action'],
  { facts: { path, file }, checks, asks }: Pick<PlanContent, 'facts' | 'checks' | 'asks'>,
  facts: PlanFacts,
): Plan['elsewhere'] {
  if (facts.kind === 'backup' || facts.kind === 'rescan') return null;
  // The engine refuses wallets of other coins too.
  if (checks.some(({ id, verdict }) => id === 'coin' && verdict === 'blocker')) return null;
  const nodeVerdicts = checksOf({ checks, asks })
    // A restore without the node makes the same wallet, which the node refuses again.
    .filter(({ id }) => NODE_CHECKS.has(id) && !(id === 'pruned' && facts.kind === 'restore'))
    .map(({ verdict }) => verdict);
  const stops = nodeVerdicts.includes('blocker');
  const work = facts.kind === 'rescue' ? 'rescuing' : 'migrating';
  const engineCanDoIt = facts.kind !== 'restore' && isForEngine(facts, work);
  // The engine can migrate the node's wallet from its file on this machine.
  if (action === 'migrate') return (stops || engineCanDoIt) && path !== null ? 'this-file' : null;
  if (engineCanDoIt) return 'this-file';
  if (file !== null) return stops ? 'this-file' : null;
  return stops || nodeVerdicts.includes('warning') ? 'another-file' : null;
}

const NODE_CHECKS: ReadonlySet<Check['id']> = new Set([
  'release',
  'wallets-folder',
  'network',
  'pruned',
  'node-user',
]);

interface Inputs {
  readonly answers: Answers;
  readonly rehearsal: Pick<RehearsalOutcome, 'loss'> | null;
  /** The inspection of a rescue without the passphrase. */
  readonly locked: FileInspection;
}

function buildContent(facts: PlanFacts, inputs: Inputs): PlanContent {
  switch (facts.kind) {
    case 'restore':
      return restoreContent(facts, inputs);
    case 'restore-migrate':
      return placedContent(facts, facts.unnamed, inputs);
    case 'rescue':
      return placedContent(facts, null, inputs);
    case 'migrate':
      return migrationContent(facts, inputs);
    case 'backup':
      return backupContent(facts);
    case 'rescan':
      return rescanContent(facts, inputs.answers);
  }
}

function restoreContent(facts: RestoreFacts, { answers, locked }: Inputs): PlanContent {
  const { name, renames, fileInspection, rescue } = facts;
  const backupFile = plannedRepair(facts) ?? copyForNode(facts) ?? facts.backupAfterRenames;
  const isSealed = hasSealedKeys(fileInspection);
  // With -nosettings, a node cannot save this: it fails after loading the wallet, and deletes its file (measured on 29.3 and 31.0).
  const { noSettings } = facts.status;
  const loadOnStartup = noSettings ? null : (answers.loadOnStartup ?? null);
  const contents = contentsOf(fileInspection);
  return {
    facts: toShownFacts(fileInspection, facts.file),
    checks: rescue === null ? checkRestore(facts) : checkRescue(facts),
    asks: [
      nameQuestion(facts),
      ...(rescue === null ? [] : rescuePassphrase(facts, locked, false)),
      ...(noSettings ? [] : [{ ask: 'load-on-startup' as const, value: loadOnStartup }]),
      ...coinQuestion(fileInspection, answers),
      ...closedQuestion(facts, answers),
    ],
    earlierCalls: unloadsFor(facts),
    calls: [
      ...(facts.putsBack ? [] : renames.map(renameCall)),
      restoreCall({ name, backupFile, loadOnStartup }),
      ...(facts.putsBack ? [] : renameBackCalls(renames)),
    ],
    makes: [
      {
        part: 'primary',
        name,
        descriptors: contents?.kind === 'descriptor' && !isSealed ? contents.descriptors.total : null,
        certain: true,
      },
    ],
    ...movedWalletsOf(facts),
    copies: rescue === null && copyForNode(facts) === null ? [] : copiesOf(facts),
  };
}

/** For a copy of a file, or a repaired file, that the app places in the wallets folder and the node migrates. */
function placedContent(facts: RestoreFacts, unnamed: MigrationFacts | null, inputs: Inputs): PlanContent {
  const { name, fileInspection, status, rescue } = facts;
  const encrypted = encryptionOf(fileInspection);
  const { loads, asks, calls, makes } = migrationOf(facts, inputs, { encrypted, loaded: false });
  const checks = rescue === null ? checkPlaced(facts, unnamed, loads) : checkRescue(facts, loads);
  return {
    facts: toShownFacts(fileInspection, facts.file),
    checks: [...checks, ...checkRehearsal(inputs.rehearsal)],
    asks: [
      nameQuestion(facts),
      ...(rescue === null
        ? passphraseQuestion(encrypted, fileInspection)
        : rescuePassphrase(facts, inputs.locked, true)),
      ...asks,
      ...logQuestion(facts),
      ...folderQuestion(facts),
    ],
    earlierCalls: unloadsFor(facts),
    calls,
    makes,
    ...movedWalletsOf(facts),
    copies: [
      ...copiesOf(facts),
      {
        text: say('A copy is migrated.'),
        folder: status.walletsFolder === null || name === '' ? null : join(status.walletsFolder, name),
      },
      LEGACY_BACKUP_COPY,
    ],
  };
}

function movedWalletsOf(facts: RestoreFacts): Pick<Plan, 'movedWallets'> {
  const movedWallets = listMovedWallets(facts);
  return movedWallets.length === 0 ? {} : { movedWallets };
}

/** The copies that the app makes of a file, and for a rescue the repaired copy. */
function copiesOf(facts: RestoreFacts): Plan['copies'] {
  const { fileInspection, rescue, copyFolder } = facts;
  const isForNode = !needsMigration(facts) && copyForNode(facts) !== null;
  const texts = [
    isJoinedWithJournal(fileInspection)
      ? say('The app copies file and journal into one.')
      : isForNode
        ? say('The file is read-only: the node gets a copy.')
        : say('The app copies the file first.'),
    ...(rescue === null ? [] : [say('A repaired copy lies beside it during the job.')]),
  ];
  return texts.map((text) => ({ text, folder: copyFolder }));
}

function migrationContent(facts: MigrationFacts, inputs: Inputs): PlanContent {
  const { name, copy, fileInspection, loaded: before, info } = facts;
  if (isWalletMissing(facts))
    return {
      facts: toShownFacts(fileInspection, null, null),
      checks: checkMigration(facts),
      asks: [],
      calls: [],
      makes: [],
      copies: [],
    };
  const encrypted = info?.encrypted ?? encryptionOf(fileInspection);
  const loaded = before.includes(name) || copy.calls.some(({ method }) => method === 'loadwallet');
  const { loads, asks, calls, makes } = migrationOf(facts, inputs, { encrypted, loaded });
  const hasOwnCopy = inputs.answers.hasOwnCopy === true;
  return {
    facts: toShownFacts(fileInspection, null, copy.file),
    checks: [...checkMigration(facts, loads), ...checkRehearsal(inputs.rehearsal)],
    asks: [
      ...passphraseQuestion(encrypted, fileInspection),
      ...folderQuestion(facts, false),
      ...(copy.how === 'cannot' ? [{ ask: 'own-copy', value: hasOwnCopy } as const] : []),
      ...asks,
    ],
    earlierCalls: copy.calls,
    calls,
    makes,
    copies: [{ text: copy.text, folder: copy.folder }, LEGACY_BACKUP_COPY],
  };
}

/** The parts that every migration has. `encrypted`: null if unknown. `loaded`: whether the node has it loaded when the call is sent. */
function migrationOf(
  facts: MigrationFacts | RestoreFacts,
  { answers, rehearsal }: Inputs,
  { encrypted, loaded }: { encrypted: boolean | null; loaded: boolean },
) {
  const { name, fileInspection, status } = facts;
  const { release, offline } = status;
  const canSkip = !offline && canSkipLoading(release);
  const loads = !canSkip || (answers.loadAfterwards ?? true);
  const withPassphrase = encrypted ?? answers.withPassphrase === true;
  const asks: Question[] = [
    ...coinQuestion(fileInspection, answers),
    ...closedQuestion(facts, answers),
    ...(rehearsal?.loss ? [{ ask: 'read-loss', value: answers.lossRead === true } as const] : []),
    ...(canSkip ? [{ ask: 'load-afterwards', value: loads } as const] : []),
  ];
  const calls = migrationCalls(release, { name, loaded, withPassphrase, loads });
  return { loads, asks, calls, makes: predictWallets(facts) };
}

function backupContent(facts: BackupFacts): PlanContent {
  const { name, destination, newBackup, loaded, cannotBeLoaded, file } = facts;
  const backup = backupCall(name, newBackup ?? destination);
  const calls = loaded.includes(name)
    ? [backup]
    : [loadCall(name), backup, { ...unloadCall(name), last: true } as const];
  return {
    facts: toShownFacts(facts.fileInspection, null),
    checks: [facts.isInterrupted ? incompleteWalletCheck() : checkLoaded(facts)],
    asks: [{ ask: 'destination', value: destination, check: checkDestination(facts) }],
    calls: cannotBeLoaded || file !== null ? [] : calls,
    makes: [],
    ...(facts.isKept && { isKept: true }),
    copies: [],
  };
}

function rescanContent(facts: RescanFacts, answers: Answers): PlanContent {
  const { name, from, encrypted, loadState } = facts;
  const loaded = loadState === 'loaded';
  const withPassphrase = encrypted ?? answers.withPassphrase === true;
  return {
    facts: toShownFacts(OUT_OF_REACH, null),
    checks: checkRescanning(facts),
    asks: [
      ...(loaded || loadState === 'unloaded' ? passphraseQuestion(encrypted, OUT_OF_REACH) : []),
      { ask: 'rescan-from', value: from, check: checkStart(facts) },
    ],
    calls: rescanCalls(name, { from, to: facts.status.blocks, loaded, withPassphrase }),
    makes: [],
    copies: [],
  };
}

/** The facts that the page shows. The contract's schema drops the parts of an inspection that the page does not need. */
function toShownFacts(
  fileInspection: FileInspection,
  file: FileFacts | null,
  path = file?.path ?? null,
): Plan['facts'] {
  const sha256 = fileInspection.state === 'read' ? fileInspection.sha256 : null;
  return { file, path, sha256, rescue: rescueFactsOf(fileInspection), contents: contentsOf(fileInspection) };
}

/** Exported for its test, which checks the estimated time of a try. */
export function passphraseQuestion(encrypted: boolean | null, fileInspection: FileInspection): Question[] {
  if (encrypted === false) return [];
  const contents = contentsOf(fileInspection);
  return [
    {
      ask: 'passphrase',
      needed: encrypted === true,
      canBeTried: contents !== null,
      secondsPerTry: (contents && passphraseNeed(contents))?.secondsPerTry ?? null,
    },
  ];
}

/**
 * The passphrase question of a rescue. `migrates`: whether a migration follows, which needs the passphrase of an encrypted wallet.
 * Other encrypted keys never block the rescue of open ones: they require it only if there are no open keys.
 */
function rescuePassphrase(facts: RestoreFacts, locked: FileInspection, migrates: boolean): Question[] {
  const { rescue } = facts;
  // While the user looks for the log of the file, a passphrase that was typed stays.
  const isLogAsked = logMismatch(facts) !== null || rescue?.logs !== 'beside';
  if (locked.state === 'unreadable' && !isLogAsked) return [];
  const rescueFacts = rescueFactsOf(locked);
  const { open = 0, sealed = 0, saved } = rescueFacts ?? {};
  const encrypted = encryptionOf(locked);
  if (encrypted === false && sealed === 0) return [];
  const needed = migrates && (encrypted === true || (encrypted === false && saved?.keys === 0));
  const value = rescue?.openOnly === true;
  const openOnly = open > 0 || value ? { openOnly: { value, keys: open } } : {};
  return passphraseQuestion(needed ? true : null, locked).map((one) => ({ ...one, ...openOnly }));
}

function folderQuestion({ status }: Pick<CommonFacts, 'status'>, isNeeded = true): Question[] {
  const check = checkNamedFolder(status, isNeeded);
  return check === null ? [] : [{ ask: 'wallets-folder', check }];
}

/** The wallets that a migration makes. Their names derive from the wallet's name. */
function predictWallets({ name, fileInspection, status }: CommonFacts): Plan['makes'] {
  const contents = contentsOf(fileInspection);
  const preview = contents?.migration ?? null;
  const watchesOnly = contents?.flags.includes('disable_private_keys') === true;
  // Releases before 30 keep a main wallet without old keys, and give it new ones.
  const keeps = !status.offline && status.release.number < 300_000;
  const fresh = preview !== null && keeps ? { descriptors: watchesOnly ? 0 : NEW_ACTIVE_DESCRIPTORS } : null;
  const entry = (part: WalletPart, counted: { descriptors: number } | null = null): Plan['makes'] => {
    if (preview !== null && counted === null) return [];
    const own = part === 'primary' ? name : `${companionPrefix(name)}_${part}`;
    const descriptors = counted === null || hasSealedKeys(fileInspection) ? null : counted.descriptors;
    return [{ part, name: own, descriptors, certain: counted !== null }];
  };
  return [
    ...entry('primary', preview?.primary ?? fresh),
    ...entry('watchonly', preview?.watchOnly),
    ...entry('solvables', preview?.solvables),
  ];
}

/** Encrypted keys yield an unknown number of descriptors until they are decrypted. */
function hasSealedKeys(fileInspection: FileInspection): boolean {
  const facts = rescueFactsOf(fileInspection);
  return facts !== null && isPartlySealed(facts);
}

const LEGACY_BACKUP_COPY = { text: say('The migration makes a .legacy.bak backup.'), folder: null };
