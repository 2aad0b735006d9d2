/** The proof after a migration or a restore: compares the old wallet or the backup with the new wallets. */
import { AppError, type AppErrorShape, type ErrorCode } from '../../../shared/model/errors.ts';
import { type Job, type MigratedNames, migratedWallets } from '../../../shared/model/job.ts';
import { amountNotCountedBefore, type Balance, totalBalance } from '../../../shared/model/money.ts';
import type { Network } from '../../../shared/model/network.ts';
import { isBehind } from '../../../shared/model/node.ts';
import type { BalanceParts, Compared, Proof, RescueFacts } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import { counted } from '../../../shared/wording/format/formatNumber.ts';
import { nameInSentence } from '../../../shared/wording/format/names.ts';
import { hasLossesOrExclusions, lostWords } from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { listWalletDir, listWallets } from '../../bitcoind/calls/walletCalls.ts';
import { walletFileFacts, walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import type { TemporaryFolders } from '../../files/temporaryFolders.ts';
import type { MigrationComparison } from '../../walletfile/migrate/compareMigration.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { findMigratedWallets, type MigrationCheckpoint } from '../plan/checkpoint.ts';
import { withWalletFile } from '../plan/walletFiles.ts';
import { ASK_FOR_HELP, KEEP_COPIES, proveBalance, wholeBalance } from './proveBalance.ts';

type NewWallet = ReturnType<typeof migratedWallets>[number];

/** `path`: of its file; null if the app does not see it. */
type FoundWallet = NewWallet & { readonly path?: string | null };

/**
 * Compares the new wallets with the copy of the old one. Throws only for the signal. The proof says what could not be compared;
 * `proofError` says why, where another try may succeed.
 */
export type Prover = (
  session: Session,
  checkpoint: ProofBaseline,
  wallets: MigratedNames,
  signal: AbortSignal,
) => Promise<ProofResult>;

export type ProofResult = Pick<Job, 'proofError'> & { readonly proof: Proof };

interface ProofBaseline extends Pick<MigrationCheckpoint, 'fileForProof' | 'balanceBefore'> {
  readonly rescue?: RescueFacts | null;
  /** True after a restore without migration: `fileForProof` is a descriptor wallet's backup, or its repaired file. */
  readonly restored?: true;
}

/** `folders`: for copies of the new wallets, which the node writes. */
export function createProver({ work, folders }: { work: WalletWork; folders: TemporaryFolders }): Prover {
  /** The node has the new wallets open, so it writes a copy of each to read. */
  function withFiles<T>(
    session: Session,
    newWallets: readonly NewWallet[],
    signal: AbortSignal,
    compareFiles: (files: (NewWallet & { path: string })[]) => Promise<T>,
    files: (NewWallet & { path: string })[] = [],
  ): Promise<T> {
    const [next, ...rest] = newWallets;
    if (!next) return compareFiles(files);
    const options = { session: () => session, folders, need: 'whole', signal } as const;
    return withWalletFile({ by: 'wallet', name: next.name }, options, ({ path }) =>
      withFiles(session, rest, signal, compareFiles, [...files, { ...next, path }]),
    );
  }

  async function compare(
    session: Session,
    { fileForProof, restored }: ProofBaseline,
    newWallets: readonly NewWallet[],
    signal: AbortSignal,
  ): Promise<Pick<ProofFacts, 'files' | 'why'>> {
    if (fileForProof === null) return { files: null, why: say('no copy of the old wallet.') };
    const { network } = session.status;
    const files = await withFiles(session, newWallets, signal, (files) => {
      const [only] = files;
      return restored && only
        ? work({ kind: 'compareRestored', task: { path: fileForProof, network, restored: only } }, signal)
        : work({ kind: 'compare', task: { path: fileForProof, network, migrated: files } }, signal);
    });
    return { files };
  }

  return async (session, checkpoint, wallets, signal) => {
    const { balanceBefore, rescue = null } = checkpoint;
    const newWallets = migratedWallets(wallets);
    let proofError: AppErrorShape | undefined;
    const compared = await compare(session, checkpoint, newWallets, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      const error = thrown instanceof AppError ? errorShapeOf(thrown) : UNREADABLE;
      if (isLasting(error, session)) return { files: null, why: error.message };
      proofError = error;
      return { files: null };
    });
    const balances = await Promise.all(
      newWallets.map(({ name }) => wholeBalance(session.client, name, signal)),
    );
    if (compared.files !== null && balances.includes(null) && (await isAnyUnloaded(session, newWallets)))
      proofError = UNLOADED;
    const { offline, network, walletsFolder } = session.status;
    const restored = checkpoint.restored && rescue === null;
    const withPaths = newWallets.map(
      async (one): Promise<FoundWallet> => ({
        ...one,
        path: walletsFolder === null ? null : await walletFilePath(walletsFolder, one.name),
      }),
    );
    const found = { newWallets: await Promise.all(withPaths), ...compared, balances, balanceBefore };
    const syncing = isBehind(session.status);
    return { proof: proofOf({ ...found, offline, syncing, rescue, restored, network }), proofError };
  };
}

/** Whether a new wallet is not loaded, as after a restart of the node. The user can load it. */
async function isAnyUnloaded({ client }: Session, newWallets: readonly NewWallet[]): Promise<boolean> {
  const loaded = await listWallets(client).catch(() => null);
  return loaded !== null && newWallets.some(({ name }) => !loaded.includes(name));
}

const UNLOADED: AppErrorShape = {
  code: 'wallet_not_found',
  message: say('Load it to see what it holds.'),
  hint: '',
};
const UNREADABLE: AppErrorShape = { code: 'file_unreadable', message: say('Unreadable file.'), hint: '' };

/**
 * Whether another try would fail too: the wallets are on another machine, or what a file contains is the cause. Every other cause may
 * pass: a full disk, a busy file, a folder that others can change, or one that the user has not named yet.
 */
function isLasting({ code }: AppErrorShape, { status }: Session): boolean {
  return (!status.local && status.walletsFolder === null) || CONTENT_ERRORS.has(code);
}

/** A damaged file, one that is too large, and a wallet of another kind than the comparison needs. */
const CONTENT_ERRORS: ReadonlySet<ErrorCode> = new Set(['not_a_wallet', 'beyond_limits', 'bad_input']);

/**
 * Finds the wallets of a migration by their files, because a restarted node has not loaded them. Null unless the files hold
 * every script, label and transaction of the copy made before, each script in the right wallet and with its keys: also if a
 * file is out of reach, a migration or a change of a file was interrupted, or there is no copy to compare with.
 */
export async function findMigratedFiles(
  session: Session,
  checkpoint: MigrationCheckpoint,
  prover: Prover,
  signal: AbortSignal,
): Promise<MigratedNames | null> {
  const { fileForProof } = checkpoint;
  const { walletsFolder } = session.status;
  if (fileForProof === null || walletsFolder === null) return null;
  const onDisk = new Set((await listWalletDir(session.client)).map((wallet) => wallet.name));
  const wallets = findMigratedWallets(checkpoint, (name) => onDisk.has(name));
  if (wallets === null) return null;
  for (const { name } of migratedWallets(wallets)) {
    const file = await walletFilePath(walletsFolder, name);
    if (file === null || (await walletFileFacts(file)).kind !== 'descriptor') return null;
  }
  const { proof } = await prover(session, checkpoint, wallets, signal);
  return hasArrived(proof) ? wallets : null;
}

function hasArrived({ scripts, misplaced, keyless, labels, transactions, wallets }: Proof): boolean {
  const lost = [scripts?.missing, misplaced, keyless, labels?.missing, transactions?.missing];
  return lost.every((list) => list?.total === 0) && wallets.every(({ incomplete }) => incomplete === false);
}

interface ProofFacts {
  newWallets: readonly FoundWallet[];
  /** Null if they were not compared. */
  files: MigrationComparison | null;
  /** Why they could not be compared, where another try would fail too. */
  why?: string;
  balances: readonly (bigint | null)[];
  balanceBefore: bigint | null;
  offline: boolean;
  /** Whether the node lacks newer blocks. */
  syncing: boolean;
  /** For a rescue: what was saved of the damaged file. Null if the wallet itself was compared. */
  rescue: RescueFacts | null;
  /** Whether a whole backup was restored. Its owner may have spent since. */
  restored?: boolean | undefined;
  network: Network;
}

/** Builds the proof with its verdict from the findings. Pure. */
export function proofOf(findings: ProofFacts): Proof {
  const { newWallets, files, why, balances, balanceBefore, offline, syncing, rescue, restored, network } =
    findings;
  const wallets = newWallets.map(({ part, name, path }, at): Proof['wallets'][number] => {
    const file = files?.wallets.find((wallet) => wallet.part === part);
    return {
      part,
      name,
      descriptors: file?.descriptors ?? null,
      labels: file?.labels ?? null,
      transactions: file?.transactions ?? null,
      balance: balances[at] ?? null,
      ...(file && { incomplete: file.incomplete, twice: file.twice }),
      ...(file?.watches && { watches: true }),
      ...(file?.signsOutside && { signsOutside: true }),
      ...(path && { path }),
    };
  });
  // Without transactions, the engine knows no coins. Neither does a node that has not reached their blocks.
  const lacksBlocks = offline || syncing;
  const split = splitOf(wallets, lacksBlocks);
  // The node does not watch solvables before the migration, so their balance was not counted then.
  const after = split && totalBalance(split);
  const inFile = rescue?.balanceInFile ?? null;
  // A file without transactions says nothing of its coins.
  const counted = files === null || files.balance.newest === null ? null : files.balance;
  const ofFile = inFile ? { amount: totalBalance(inFile), newest: inFile.newest } : counted;
  const lost = rescue === null ? [] : lostWords(rescue, network);
  const isShort = lost.length > 0 || (rescue !== null && hasLossesOrExclusions(rescue));
  // With all scripts and keys there, a node's lower balance means spent coins or blocks that it lacks.
  const isRead = files !== null && !files.isPartlyUnreadable;
  const balance = proveBalance({
    before: balanceBefore,
    file: counted,
    after,
    offline,
    syncing,
    backup: restored ? { isRead } : null,
  });
  const differences: Proof['differences'] = [
    ...(files === null
      ? []
      : [
          ...files.wallets
            .filter(({ incomplete }) => incomplete)
            .map(({ name }) => ({
              title: say('Incomplete migration of {wallet}', { wallet: nameInSentence(name) }),
              meaning: INCOMPLETE,
            })),
          ...differenceOf(files.scripts.missing, SCRIPTS),
          ...differenceOf(files.misplaced, MISPLACED),
          ...differenceOf(files.keyless, KEYLESS),
          ...differenceOf(files.labels.missing, {
            ...LABELS,
            // A migration leaves out the addresses of some scripts, with their labels and coins.
            meaning: files.balance.parts.notYours > (split?.notYours ?? 0n) ? [IN_BACKUP] : LABELS.meaning,
          }),
          ...differenceOf(files.transactions.missing, TRANSACTIONS),
          ...files.wallets.flatMap(({ name, unseenSpends }) =>
            unseenSpends === 0
              ? []
              : {
                  title: say('{wallet} shows spent coins', { wallet: nameInSentence(name) }),
                  meaning: say('Rescan it.'),
                  ...MINOR,
                },
          ),
        ]),
    ...balance.differences.map((difference) => ({ ...difference, ...(isRead && !offline && MINOR) })),
  ];
  const unknown = [
    ...(why === undefined ? [] : [say('Addresses, labels and transactions: {reason}', { reason: why })]),
    ...(files?.isPartlyUnreadable ? [say('Unreadable parts of a file.')] : []),
    ...balance.unknown,
  ];
  const isWhole =
    files !== null && !files.isPartlyUnreadable && after !== null && balance.change !== 'unclear';
  const isSame = isWhole && !isShort && differences.length === 0;
  const areCoinsUnknown =
    lacksBlocks &&
    (ofFile?.newest ?? null) === null &&
    (files ? files.wallets.every((one) => one.transactions === 0) : !balanceBefore && after === 0n);
  return {
    verdict: differences.some(({ minor }) => !minor) ? 'different' : isSame ? 'same' : 'partly',
    scripts: files?.scripts ?? null,
    ...(files === null ? {} : { misplaced: files.misplaced, keyless: files.keyless }),
    ...(files === null || files.keys === null ? {} : { keys: files.keys }),
    labels: files?.labels ?? null,
    transactions: files?.transactions ?? null,
    balance: areCoinsUnknown
      ? { file: null, fileTime: null, before: null, after: null, split: { before: null, after: null } }
      : {
          file: ofFile?.amount ?? null,
          fileTime: ofFile?.newest ?? null,
          before: balanceBefore,
          after,
          ...(balance.change === null
            ? {}
            : { change: changeAgainstFile(balance.change, inFile && ofFile, after) }),
          split: {
            before: (balanceBefore ?? ofFile) === null ? null : partsBefore(balanceBefore, inFile, files),
            after: split,
          },
        },
    ...(lost.length === 0 ? {} : { lost }),
    wallets,
    differences,
    unknown,
  };
}

/** Counts each coin once, in the first wallet that has it. Null if a balance is unknown. */
function splitOf(wallets: Proof['wallets'], lacksBlocks: boolean): BalanceParts | null {
  const split: BalanceParts = { spendable: 0n, watched: 0n, notYours: 0n };
  for (const { balance, part, watches, transactions, twice = 0n } of wallets) {
    if (balance === null) return null;
    const own = amountNotCountedBefore({ balance, twice });
    // A migration moves no transactions into this wallet.
    if (part === 'solvables') split.notYours = lacksBlocks && transactions === 0 ? null : own;
    else if (part === 'watchonly' || watches) split.watched += own;
    else split.spendable += own;
  }
  return split;
}

/** The parts of the old wallet's balance, by its file. Null if the node reported another sum, because its parts are unknown. */
function partsBefore(
  node: bigint | null,
  inFile: RescueFacts['balanceInFile'],
  files: MigrationComparison | null,
): Balance | null {
  const notYours = files?.balance.parts.notYours ?? 0n;
  const { spendable, watched } = inFile ?? files?.balance.parts ?? {};
  if (spendable === undefined || watched === undefined) return null;
  return node === null || node === totalBalance({ spendable, watched })
    ? { spendable, watched, notYours }
    : null;
}

/** Compares with the balance in the damaged file. A rescue can find more, and leave out keys that need a passphrase. */
function changeAgainstFile(
  change: NonNullable<Proof['balance']['change']>,
  inFile: { amount: bigint } | null,
  after: bigint | null,
): NonNullable<Proof['balance']['change']> {
  if (inFile === null || after === null || change !== 'same' || after === inFile.amount) return change;
  return after > inFile.amount ? 'more' : 'less';
}

interface Words {
  title(count: number): string;
  meaning: readonly string[];
  minor?: true;
}

const MINOR = { minor: true } as const;

const SCRIPTS: Words = {
  title: (count) => say('Missing: {what}', { what: counted.addresses(count) }),
  meaning: [
    say('The new wallets cannot see or spend the coins on these addresses.'),
    KEEP_COPIES,
    ASK_FOR_HELP,
  ],
};
const MISPLACED: Words = {
  title: (count) => say('Addresses in the wrong wallet: {count, number}', { count }),
  meaning: [say('The new wallets may show unspendable coins.'), KEEP_COPIES, ASK_FOR_HELP],
};
const KEYLESS: Words = {
  title: (count) => say('Descriptors without private keys: {count, number}', { count }),
  meaning: [say('Don’t receive coins there. They could not be spent.'), KEEP_COPIES, ASK_FOR_HELP],
};
const IN_BACKUP = say('The labels are in the backup.');
const LABELS: Words = {
  title: (count) => say('Missing: {what}', { what: counted.labels(count) }),
  meaning: [say('No coins are affected.'), IN_BACKUP],
  ...MINOR,
};
const TRANSACTIONS: Words = {
  title: (count) => say('Missing: {what}', { what: counted.transactions(count) }),
  meaning: [say('Rescan for those in the chain; others are only in the backup.')],
  ...MINOR,
};

function differenceOf(
  { total }: Compared['missing'],
  { title, meaning, ...minor }: Words,
): Proof['differences'] {
  return total === 0 ? [] : [{ title: title(total), meaning: meaning.join(' '), ...minor }];
}

const INCOMPLETE = [
  say('Do not use this wallet.'),
  KEEP_COPIES,
  say('Restore and migrate either under a new name.'),
].join(' ');
