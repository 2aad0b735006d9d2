/** Makes plans and keeps their facts while the app runs, so that new answers need no new calls and no new inspection. */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import { identityOf } from '../../../shared/model/node.ts';
import {
  type Answers,
  checksGotWorse,
  isSameSource,
  type Plan,
  type PlanRequest,
  questionOf,
  type WalletSource,
} from '../../../shared/model/plan.ts';
import type { Interruption } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import {
  asSentence,
  lookForBackup,
  nothingChanged,
  notSent,
} from '../../../shared/wording/findings/hints.ts';
import { noCopyHints, restoredAsWords } from '../../../shared/wording/interruptionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import type { Call } from '../../bitcoind/calls/call.ts';
import { requireSameNode } from '../../bitcoind/calls/status.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { suggestName } from '../../walletfile/inspect/suggestName.ts';
import type { RescueRequest } from '../../workers/repairRequest.ts';
import {
  findInterruption,
  NAME_OF_UNNAMED,
  originalName,
  whyNothingToPutBack,
} from '../safetyCopies/interruptedSource.ts';
import { buildPlan } from './buildPlan.ts';
import {
  type MigrationFacts,
  type PlanFacts,
  type RestoreFacts,
  rescueRequestOf,
  withOpened,
} from './checkFacts.ts';
import { needsName, type RehearsalOutcome, stillApplies } from './checkMigration.ts';
import { checkName, freeName } from './checkName.ts';
import { needsMigration } from './checkRestore.ts';
import { gatherBackup, gatherDestination } from './gatherBackup.ts';
import {
  type FactsDeps,
  gatherMigration,
  gatherRestore,
  inspectSource,
  namesOf,
  refuseWhileMigrating,
  withName,
} from './gatherFacts.ts';
import { firstBlockToScan, gatherRescan } from './gatherRescan.ts';
import { checkPassphrase, missingWalletCheck } from './walletChecks.ts';
import type { FileTaskInput, WalletFiles } from './walletFiles.ts';

/** What the back end keeps of a plan while the app runs. */
interface StoredPlan {
  readonly plan: Plan;
  readonly calls: readonly Call[];
  readonly request: PlanRequest;
  readonly facts: PlanFacts;
  readonly rehearsal: RehearsalOutcome | null;
  /** Unix seconds of the first version. */
  readonly created: number;
}

export type Plans = ReturnType<typeof createPlans>;

interface PlansOptions {
  /** The node in use. Throws AppError `not_connected`. */
  readonly session: () => Session;
  readonly files: Pick<WalletFiles, 'inspect' | 'tryPassphrase' | 'rehearse'>;
  readonly deps: Omit<FactsDeps, 'inspect' | 'created' | 'signal'>;
}

/** Beyond this number the oldest plans are forgotten. A batch has one for each wallet, 1,000 or so. */
const MAX_PLANS = 3000;

export function createPlans({ session, files, deps }: PlansOptions) {
  const plans = new Map<string, StoredPlan>();

  function keep(stored: StoredPlan): StoredPlan {
    const { id } = stored.plan;
    plans.delete(id);
    plans.set(id, stored);
    for (const oldest of [...plans.keys()].slice(0, Math.max(0, plans.size - MAX_PLANS)))
      plans.delete(oldest);
    return stored;
  }

  function get(id: string): StoredPlan {
    const found = plans.get(id);
    if (found === undefined)
      throw new AppError('plan_gone', say('The plan has expired.'), notSent(say('Check again.')));
    return found;
  }

  function depsFor(created: number, signal: AbortSignal, passphrase?: string): FactsDeps {
    return {
      ...deps,
      created,
      signal,
      inspect: (source, options) => files.inspect({ source, passphrase, ...options }, signal),
    };
  }

  function build(parts: Omit<StoredPlan, 'plan' | 'calls'>, id: string, answers: Answers): StoredPlan {
    const { request, facts, created } = parts;
    const { action, source } = request;
    const rehearsal = parts.rehearsal && stillApplies(parts.rehearsal, facts) ? parts.rehearsal : null;
    const built = buildPlan({ id, action, source }, facts, answers, rehearsal);
    return keep({ request, facts, rehearsal, created, ...built });
  }

  async function update(before: StoredPlan, answers: Answers, signal: AbortSignal): Promise<StoredPlan> {
    const factsDeps = depsFor(before.created, signal);
    const facts = await withAnswers(before.facts, before.request, answers, factsDeps, session);
    return build({ ...before, facts }, before.plan.id, answers);
  }

  return {
    /** Throws AppError `plan_gone` for an unknown `previousPlan`, and what the node's calls throw. */
    async make({ previousPlan, ...request }: FileTaskInput<'plan.make'>, signal: AbortSignal): Promise<Plan> {
      if (previousPlan !== undefined) return (await update(get(previousPlan), request.answers, signal)).plan;
      const created = deps.now();
      const facts = await gather(session(), request, depsFor(created, signal));
      const rehearsed = [...plans.values()].findLast(
        (one) => one.rehearsal !== null && isSameSource(one.request.source, request.source),
      );
      const rehearsal = rehearsed?.rehearsal ?? null;
      return build({ request, facts, rehearsal, created }, randomUUID(), request.answers).plan;
    },

    async tryPassphrase({ plan: id, ...typed }: FileTaskInput<'plan.tryPassphrase'>, signal: AbortSignal) {
      const { plan, facts } = get(id);
      const input = { ...typed, source: sourceToRead(plan), rescue: rescueRequestOf(facts) };
      const tried = plan.facts.contents && (await files.tryPassphrase(input, signal));
      const latest = get(id);
      // Other answers may have changed the rescue meanwhile.
      if (tried?.opened && rescueRequestOf(latest.facts) === input.rescue)
        keep({ ...latest, facts: withOpened(latest.facts, tried.opened) });
      return checkPassphrase(tried?.verdict ?? null, { ...typed, offline: facts.status.offline });
    },

    async rehearse(
      { plan: id, answers, passphrase }: FileTaskInput<'plan.rehearse'>,
      signal: AbortSignal,
    ): Promise<Output<'plan.rehearse'>> {
      const { facts, plan: current } = get(id);
      const { network } = facts.status;
      const input = { source: sourceToRead(current), network, rescue: rescueRequestOf(facts) };
      const outcome = await files
        .rehearse({ ...input, ...(passphrase ? { passphrase } : {}) }, signal)
        .catch((thrown: unknown) => {
          // A rehearsal exists to find such errors: what would be lost, or why a node would refuse.
          const error = errorShapeOf(thrown);
          if (error.code !== 'wallet_error') throw thrown;
          return error;
        });
      const rehearsal = { loss: 'code' in outcome ? outcome : null, facts };
      // The user may have given other answers while the rehearsal ran.
      const { plan } = await update({ ...get(id), rehearsal }, answers, signal);
      return { plan, rehearsal: 'code' in outcome ? null : outcome };
    },

    /** Throws AppError `plan_gone`. */
    get,

    /** Gathers the facts again and tries the passphrase. Throws `not_connected` if another node answers than before. */
    async refresh(
      before: StoredPlan,
      answers: Answers,
      {
        session: currentSession,
        passphrase,
        signal,
      }: { session: Session; passphrase: string | undefined; signal: AbortSignal },
    ): Promise<StoredPlan> {
      const { request, rehearsal, created } = before;
      requireSameNode(before.plan.node.identity, identityOf(currentSession.status));
      const name = chosenName(before.plan, answers);
      const { copy } = request.answers;
      const kept = { copy, ...answers, ...(name === undefined ? {} : { name }) };
      const facts = await gather(
        currentSession,
        { ...request, answers: kept },
        depsFor(created, signal, passphrase),
      );
      return build({ request, facts, rehearsal, created }, before.plan.id, kept);
    },
  };
}

/** The new wallet's name: the answer, or else the shown suggestion. Undefined if the plan asks for no name. */
export function chosenName(plan: Plan, { name = plan.wallet }: Answers): string | undefined {
  return questionOf(plan, 'name') && name;
}

async function gather(session: Session, request: PlanRequest, deps: FactsDeps): Promise<PlanFacts> {
  const { action, source, answers } = request;
  switch (action) {
    case 'backup':
      return {
        kind: action,
        ...(await gatherBackup(session, nameOf(source), answers.destination ?? '', deps)),
      };
    case 'rescan':
      return { kind: action, ...(await gatherRescan(session, nameOf(source), answers.rescanFrom, deps)) };
    case 'migrate': {
      const facts = await gatherMigration(session, nameOf(source), deps);
      const { file } = facts.copy;
      if (!needsName(facts) || file === null) return { kind: 'migrate', ...facts };
      const namedRequest = { ...request, suggestedName: NAME_OF_UNNAMED };
      // A release that needs a name loads no legacy wallet, so the inspected file is the wallet's own.
      const copied = await gatherFrom(session, namedRequest, file, deps, { known: facts });
      return { kind: 'restore-migrate', ...copied, unnamed: facts };
    }
    case 'restore':
    case 'undo':
    case 'rescue':
    case 'put-back': {
      const facts =
        action === 'put-back'
          ? await gatherPutBack(session, request, deps)
          : await gatherFrom(session, request, pathOf(source), deps);
      if (!needsMigration(facts)) return { kind: 'restore', ...facts };
      if (facts.rescue !== null) return { kind: 'rescue', ...facts };
      return { kind: 'restore-migrate', ...facts, unnamed: null };
    }
  }
}

/** Throws AppError `bad_input` if the wallet is whole, and `file_missing` if it or a whole copy of it is not found. */
async function gatherPutBack(session: Session, request: PlanRequest, deps: FactsDeps): Promise<RestoreFacts> {
  const { source, answers } = request;
  const { walletsFolder } = session.status;
  const findIncomplete = (incomplete: WalletSource) =>
    findInterruption(
      session.status,
      { source: incomplete, copy: answers.copy, forPutBack: true },
      deps.interruptions,
      deps.signal,
    );
  const found = await findIncomplete(source);
  if (found === null || found.restoredAs !== undefined) {
    const why =
      found?.restoredAs === undefined
        ? await whyNothingToPutBack(session.status, source, deps)
        : restoredAsWords(found.restoredAs);
    throw new AppError('bad_input', say('Nothing to put back.'), why);
  }
  const path =
    found.file ?? (walletsFolder && found.wallet !== null ? join(walletsFolder, found.wallet) : null);
  if (path !== null) await refuseWhileMigrating(session, path, deps.signal);
  const before = found.wallet === null ? null : originalName(found.wallet);
  // The incomplete wallet stays where it was moved. The restored one takes its old name.
  const inItsPlace = before === null ? null : await findIncomplete({ by: 'wallet', name: before });
  const { copies, skippedCopies } = found;
  const putsBack = inItsPlace === null ? found : { ...inItsPlace, copies, skippedCopies };
  const chosen = answers.copy === undefined ? undefined : resolve(answers.copy);
  const copy = copies.find(({ path }) => chosen === undefined || path === chosen);
  if (copy === undefined) {
    await refuseUnknown(session, request, found.file);
    throw new AppError('file_missing', say('No whole copy was found.'), noCopyHints(found).join(' '));
  }
  return gatherFrom(session, request, copy.path, deps, { putsBack });
}

/** Throws AppError `file_missing` if there is neither a file nor a wallet of this name. */
async function refuseUnknown(
  session: Session,
  { source, answers }: PlanRequest,
  file: string | null,
): Promise<void> {
  if (source.by === 'file' || answers.copy !== undefined || file !== null) return;
  const names = Object.values(await namesOf(session)).flat();
  if (names.includes(source.name)) return;
  const { title, text, todo } = missingWalletCheck(source.name, names);
  // A wallet that lost its file in an interruption may still have a backup.
  throw new AppError('file_missing', asSentence(title), [...text, ...todo, lookForBackup()].join(' '));
}

async function gatherFrom(
  session: Session,
  { answers, suggestedName, action }: PlanRequest,
  backupFile: string,
  deps: FactsDeps,
  { known, putsBack = null }: { known?: MigrationFacts; putsBack?: Interruption | null } = {},
): Promise<RestoreFacts> {
  const rescue = action === 'rescue' ? rescueRequestFrom(answers, session.status.network) : null;
  const request = {
    name: answers.name ?? '',
    backupFile,
    undoes: action === 'undo',
    rescue,
    putsBack,
    known,
  };
  return withFreeName(await gatherRestore(session, request, deps), answers, suggestedName, deps);
}

/** With the answered name, or a free suggestion. */
async function withFreeName<F extends RestoreFacts>(
  facts: F,
  answers: Answers,
  suggested: string | undefined,
  deps: FactsDeps,
): Promise<F> {
  if (answers.name !== undefined)
    return answers.name === facts.name ? facts : withName(facts, answers.name, deps);
  const { file, backupFile } = facts;
  const own = putBackName(facts.putsBack);
  // A placed copy needs a folder directly in the wallets folder, so its name has no slash.
  const flat = needsMigration(facts) ? own?.replaceAll('/', '-') : own;
  const preferred = flat ?? suggested ?? file?.suggestedName ?? suggestName(backupFile, '');
  const old = own ?? (facts.undoes ? preferred : undefined);
  if (old !== undefined) {
    const back = await withName(facts, old, deps);
    // For an undo, other wallets make room for it.
    const hasRoom = own !== undefined || back.renames.length > 0;
    if (hasRoom && checkName(back).verdict !== 'blocker') return back;
  }
  return withName(facts, freeName(preferred, facts), deps);
}

/** The name that a wallet is put back under; undefined if the node has no name for it. */
function putBackName(putsBack: RestoreFacts['putsBack']): string | undefined {
  const wallet = putsBack?.wallet ?? undefined;
  if (wallet === undefined) return undefined;
  return wallet === '' ? NAME_OF_UNNAMED : (originalName(wallet) ?? wallet);
}

async function withAnswers(
  facts: PlanFacts,
  { suggestedName }: PlanRequest,
  answers: Answers,
  deps: FactsDeps,
  session: () => Session,
): Promise<PlanFacts> {
  switch (facts.kind) {
    case 'migrate':
      return facts;
    case 'backup':
      return { ...facts, ...(await gatherDestination(facts, answers.destination ?? '', deps)) };
    case 'rescan':
      return { ...facts, from: await firstBlockToScan(facts, session(), answers.rescanFrom) };
    case 'restore':
    case 'rescue': {
      const rescue = facts.rescue && rescueRequestFrom(answers, facts.status.network);
      const isSame = JSON.stringify(rescue) === JSON.stringify(facts.rescue);
      if (rescue === null || isSame) return withFreeName(facts, answers, suggestedName, deps);
      const fileInspection = await inspectSource({ by: 'file', path: facts.backupFile }, { rescue }, deps);
      return withFreeName({ ...facts, rescue, fileInspection }, answers, suggestedName, deps);
    }
    case 'restore-migrate':
      return withFreeName(facts, answers, facts.unnamed === null ? suggestedName : NAME_OF_UNNAMED, deps);
  }
}

function rescueRequestFrom(answers: Answers, network: Network): RescueRequest {
  return { logs: logsOf(answers), network, ...(answers.openOnly === true && { openOnly: true }) };
}

function logsOf({ logs }: Answers): RescueRequest['logs'] {
  if (logs === null) return 'none';
  return logs === undefined || logs === '' ? 'beside' : { in: logs };
}

function nameOf(source: WalletSource): string {
  if (source.by === 'file') throw wrongSourceError();
  return source.name;
}

function pathOf(source: WalletSource): string {
  if (source.by === 'wallet') throw wrongSourceError();
  return source.path;
}

/** The file that the plan works on. An unnamed wallet is migrated from a copy of its own file. */
function sourceToRead({ source, facts }: Plan): WalletSource {
  return source.by === 'wallet' && facts.file !== null ? { by: 'file', path: facts.file.path } : source;
}

function wrongSourceError(): AppError {
  return new AppError('bad_input', say('Not possible with this wallet.'), nothingChanged());
}

/** Whether the plan must be shown again before it runs: a verdict got worse, or the calls, the moved wallets or the log changed. */
export function mustShowAgain(before: Plan, now: Plan): boolean {
  const fingerprint = ({ calls, kind, facts, movedWallets }: Plan) =>
    JSON.stringify([calls, kind, facts.rescue?.log, movedWallets]);
  return checksGotWorse(before, now) || fingerprint(before) !== fingerprint(now);
}
