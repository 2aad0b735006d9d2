/** Makes plans, and keeps what was found for each as long as the app runs: answers change them without a new look. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Input, Output } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { findNameProblem } from '../../../shared/model/names/walletName.ts';
import type { Network } from '../../../shared/model/network.ts';
import { identityOf } from '../../../shared/model/node.ts';
import {
  type Answers,
  askOf,
  type Plan,
  type PlanRequest,
  type WalletSource,
} from '../../../shared/model/plan.ts';
import type { Check, Interruption } from '../../../shared/model/safety.ts';
import { errorShapeOf } from '../../../shared/wording/errorWords.ts';
import { backAsWords, unreadWords } from '../../../shared/wording/interruptionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { requireSameNode } from '../../bitcoind/calls/readIdentity.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { thisPlatform } from '../../files/isNetworkPath.ts';
import { suggestedName as suggestedNameOf } from '../../walletfile/inspect/suggestedName.ts';
import type { RescueRequest } from '../../workers/mendRequest.ts';
import { NAME_OF_UNNAMED, originalName } from '../safetyCopies/asideName.ts';
import { interruptionOf } from '../safetyCopies/interruptedSource.ts';
import type { Gathered, Looked, RestoreFacts } from './checkFacts.ts';
import { needsName, type Rehearsed } from './checkMigration.ts';
import { checkPassphrase } from './checkPassphrase.ts';
import { checkName, needsMigration } from './checkRestore.ts';
import { type Decided, decide } from './decide.ts';
import { gatherBackup, replaced } from './gatherBackup.ts';
import { gatherMigration, gatherRestore, type Looking, renamed, withLogs } from './gatherFacts.ts';
import { gatherRescan, startingAt } from './gatherRescan.ts';
import type { WalletFiles } from './walletFiles.ts';

/** A plan with all that it was made of. */
export interface Held extends Decided {
  readonly request: PlanRequest;
  readonly gathered: Gathered;
  readonly rehearsed: Rehearsed | null;
  /** When it was first made, in Unix seconds. */
  readonly planned: number;
}

export interface Plans {
  /** Throws AppError `plan_gone` for an unknown `previousPlan`, and what the node's calls throw. */
  make(input: Omit<Input<'plan.make'>, 'task'>, signal: AbortSignal): Promise<Plan>;
  tryPassphrase(input: Omit<Input<'plan.tryPassphrase'>, 'task'>, signal: AbortSignal): Promise<Check>;
  rehearse(
    input: Omit<Input<'plan.rehearse'>, 'task'>,
    signal: AbortSignal,
  ): Promise<Output<'plan.rehearse'>>;
  /** Throws AppError `plan_gone`. */
  held(id: string): Held;
  /** Gathers anew, and tries the passphrase in the same reading. Throws `not_connected` for another node than before. */
  again(
    held: Held,
    answers: Answers,
    means: { session: Session; passphrase: string | undefined; signal: AbortSignal },
  ): Promise<Held>;
}

interface PlansOptions {
  /** The node in use. Throws AppError `not_connected`. */
  readonly session: () => Session;
  readonly files: Pick<WalletFiles, 'inspect' | 'tryPassphrase' | 'rehearse'>;
  readonly looking: Omit<Looking, 'inspect' | 'planned' | 'signal'>;
}

/** Plans beyond this are forgotten, the oldest first. */
const MOST_HELD = 200;

export function createPlans({ session, files, looking: about }: PlansOptions): Plans {
  const all = new Map<string, Held>();

  function keep(held: Held): Held {
    const { id } = held.plan;
    all.delete(id);
    all.set(id, held);
    for (const oldest of [...all.keys()].slice(0, Math.max(0, all.size - MOST_HELD))) all.delete(oldest);
    return held;
  }

  function held(id: string): Held {
    const found = all.get(id);
    if (found === undefined)
      throw new AppError(
        'plan_gone',
        say('This plan has expired.'),
        say('Nothing was sent. Check again, then start.'),
      );
    return found;
  }

  function lookingFor(planned: number, signal: AbortSignal, passphrase?: string): Looking {
    return {
      ...{ ...about, planned, signal },
      inspect: (source, options) => files.inspect({ source, passphrase, ...options }, signal),
    };
  }

  function made(parts: Omit<Held, keyof Decided>, id: string, answers: Answers): Held {
    const { request, gathered, rehearsed, planned } = parts;
    const { action, source } = request;
    const decided = decide({ id, action, source }, gathered, answers, rehearsed);
    return keep({ request, gathered, rehearsed, planned, ...decided });
  }

  async function answered(before: Held, answers: Answers, signal: AbortSignal): Promise<Held> {
    const looking = lookingFor(before.planned, signal);
    const gathered = await withAnswers(before.gathered, before.request, answers, looking, session);
    return made({ ...before, gathered }, before.plan.id, answers);
  }

  return {
    async make({ previousPlan, ...request }, signal) {
      if (previousPlan !== undefined)
        return (await answered(held(previousPlan), request.answers, signal)).plan;
      const planned = about.now();
      const gathered = await gather(session(), request, lookingFor(planned, signal));
      return made({ request, gathered, rehearsed: null, planned }, randomUUID(), request.answers).plan;
    },

    async tryPassphrase({ plan: id, passphrase }, signal) {
      const { plan, gathered } = held(id);
      const { offline } = gathered.facts.status;
      const seen = plan.facts.contents !== null;
      const { verdict } = seen
        ? await files.tryPassphrase({ source: fileOf(plan), passphrase, rescue: rescueIn(gathered) }, signal)
        : { verdict: null };
      return checkPassphrase(verdict, { passphrase, offline });
    },

    async rehearse({ plan: id, answers, passphrase }, signal) {
      const before = held(id);
      const { network } = before.gathered.facts.status;
      const source = fileOf(before.plan);
      const rescue = rescueIn(before.gathered);
      const request = { source, network, rescue, ...(passphrase ? { passphrase } : {}) };
      const came = await files.rehearse(request, signal).catch((thrown: unknown) => {
        // What would be lost, or why a node would refuse, is what a rehearsal is for.
        const error = errorShapeOf(thrown);
        if (error.code !== 'wallet_error') throw thrown;
        return error;
      });
      const rehearsed: Rehearsed = { loss: 'code' in came ? came : null };
      // A rehearsal takes its time: other answers may have been given meanwhile.
      const { plan } = await answered({ ...held(id), rehearsed }, answers, signal);
      return { plan, rehearsal: 'code' in came ? null : came };
    },

    held,

    async again(before, answers, { session: now, passphrase, signal }) {
      const { request, rehearsed, planned } = before;
      requireSameNode(before.plan.node.identity, identityOf(now.status));
      const name = newName(before.plan, answers);
      const { copy } = request.answers;
      const kept = { copy, ...answers, ...(name === undefined ? {} : { name }) };
      const looking = lookingFor(planned, signal, passphrase);
      const gathered = await gather(now, { ...request, answers: kept }, looking);
      return made({ request, gathered, rehearsed, planned }, before.plan.id, kept);
    },
  };
}

/** The new wallet's name, as answered or else as it was shown; undefined where none is asked for. */
export function newName(plan: Plan, { name = plan.wallet }: Answers): string | undefined {
  return askOf(plan, 'name') && name;
}

async function gather(session: Session, request: PlanRequest, looking: Looking): Promise<Gathered> {
  const { action, source, answers } = request;
  switch (action) {
    case 'backup':
      return {
        kind: action,
        facts: await gatherBackup(session, nameOf(source), answers.destination ?? '', looking),
      };
    case 'rescan':
      return {
        kind: action,
        facts: await gatherRescan(session, nameOf(source), answers.rescanFrom, looking),
      };
    case 'migrate': {
      const name = nameOf(source);
      const facts = await gatherMigration(session, name, looking);
      if (!needsName(facts) || facts.copy.file === null) return { kind: 'migrate', facts };
      const named = { ...request, suggestedName: NAME_OF_UNNAMED };
      // Such a release loads no legacy wallet: what was read is the file itself.
      const copied = await restoring(session, named, facts.copy.file, looking, { known: facts.looked });
      return { kind: 'restore-migrate', facts: copied, unnamed: facts };
    }
    case 'restore':
    case 'undo':
    case 'rescue':
    case 'put-back': {
      const facts = await (action === 'put-back' ? puttingBack : restoringFile)(session, request, looking);
      if (!needsMigration(facts)) return { kind: 'restore', facts };
      if (facts.rescue !== null) return { kind: 'rescue', facts };
      return { kind: 'restore-migrate', facts, unnamed: null };
    }
  }
}

async function restoringFile(
  session: Session,
  request: PlanRequest,
  looking: Looking,
): Promise<RestoreFacts> {
  if (request.source.by === 'wallet') throw badSource();
  return restoring(session, request, request.source.path, looking);
}

/** Throws AppError `bad_input` for a wallet that is whole, `file_missing` where there is no whole copy of it. */
async function puttingBack(session: Session, request: PlanRequest, looking: Looking): Promise<RestoreFacts> {
  const { source, answers } = request;
  const halfOf = (half: WalletSource) =>
    interruptionOf(
      session.status,
      { source: half, copy: answers.copy, isWanted: true },
      looking.interruptions,
      looking.signal,
    );
  const found = await halfOf(source);
  if (found === null || found.backAs !== undefined) {
    const why =
      found?.backAs === undefined
        ? say('This wallet is complete, or the app cannot read its file.')
        : backAsWords(found.backAs);
    throw new AppError('bad_input', say('There is nothing to put back.'), why);
  }
  const before = found.wallet === null ? null : originalName(found.wallet);
  // The half-made wallet stays where it was moved; the restored one takes its old name.
  const inItsPlace = before === null ? null : await halfOf({ by: 'wallet', name: before });
  const { copies, unread } = found;
  const putsBack = inItsPlace === null ? found : { ...inItsPlace, copies, unread };
  const chosen = answers.copy === undefined ? undefined : resolve(answers.copy);
  const copy = copies.find(({ path }) => chosen === undefined || path === chosen);
  if (copy === undefined) {
    throw new AppError(
      'file_missing',
      say('No whole copy of this wallet was found.'),
      [say('Look for a file that ends in .legacy.bak, and restore it.'), ...unreadWords(unread)].join(' '),
    );
  }
  return restoring(session, request, copy.path, looking, { putsBack });
}

async function restoring(
  session: Session,
  { answers, suggestedName, action }: PlanRequest,
  backupFile: string,
  looking: Looking,
  { known, putsBack = null }: { known?: Looked; putsBack?: Interruption | null } = {},
): Promise<RestoreFacts> {
  const rescue = action === 'rescue' ? rescueFor(answers, session.status.network) : null;
  const request = {
    name: answers.name ?? '',
    backupFile,
    undoes: action === 'undo',
    rescue,
    putsBack,
    known,
  };
  return named(await gatherRestore(session, request, looking), answers, suggestedName, looking);
}

/** With the name that was answered, or one to begin with that is free. */
async function named(
  facts: RestoreFacts,
  answers: Answers,
  suggested: string | undefined,
  looking: Looking,
): Promise<RestoreFacts> {
  const { file, backupFile } = facts;
  const own = ownName(facts.putsBack);
  // What is placed and migrated lies in a folder of the wallets folder itself.
  const flat = needsMigration(facts) ? own?.replaceAll('/', '-') : own;
  const wished = flat ?? suggested ?? file?.suggestedName ?? suggestedNameOf(backupFile, '');
  if (answers.name === undefined && own !== undefined) {
    const back = await renamed(facts, own, looking);
    if (checkName(back).verdict !== 'blocker') return back;
  }
  if (answers.name === undefined && facts.undoes) {
    const back = await renamed(facts, wished, looking);
    // What stands in its place makes room.
    if (back.setAside.length > 0 && checkName(back).verdict !== 'blocker') return back;
  }
  const name = answers.name ?? freeName(wished, facts);
  return name === facts.name ? facts : renamed(facts, name, looking);
}

/** That a wallet is put back under; undefined for one that has no name on the node. */
function ownName(putsBack: RestoreFacts['putsBack']): string | undefined {
  const wallet = putsBack?.wallet ?? undefined;
  if (wallet === undefined) return undefined;
  return wallet === '' ? NAME_OF_UNNAMED : (originalName(wallet) ?? wallet);
}

async function withAnswers(
  gathered: Gathered,
  { suggestedName }: PlanRequest,
  answers: Answers,
  looking: Looking,
  session: () => Session,
): Promise<Gathered> {
  switch (gathered.kind) {
    case 'migrate':
      return gathered;
    case 'backup':
      return { ...gathered, facts: await replaced(gathered.facts, answers.destination ?? '', looking) };
    case 'rescan':
      return { ...gathered, facts: await startingAt(gathered.facts, session(), answers.rescanFrom) };
    case 'restore':
    case 'rescue': {
      const { facts } = gathered;
      const rescue = facts.rescue && rescueFor(answers, facts.status.network);
      const isSame = JSON.stringify(rescue) === JSON.stringify(facts.rescue);
      const latest = rescue === null || isSame ? facts : await withLogs(facts, rescue, looking);
      return { ...gathered, facts: await named(latest, answers, suggestedName, looking) };
    }
    case 'restore-migrate': {
      const suggested = gathered.unnamed === null ? suggestedName : NAME_OF_UNNAMED;
      return { ...gathered, facts: await named(gathered.facts, answers, suggested, looking) };
    }
  }
}

function rescueFor(answers: Answers, network: Network): RescueRequest {
  const openOnly = answers.openOnly === true ? { openOnly: true } : {};
  return { logs: logsOf(answers), network, ...openOnly };
}

function logsOf({ logs }: Answers): RescueRequest['logs'] {
  if (logs === null) return 'none';
  return logs === undefined || logs === '' ? 'beside' : { in: logs };
}

function rescueIn(gathered: Gathered): RescueRequest | undefined {
  return 'rescue' in gathered.facts ? (gathered.facts.rescue ?? undefined) : undefined;
}

/** `savings`, `savings-restored`, `savings-restored-2` …: the first that can be used; empty where none can. */
function freeName(suggested: string, facts: RestoreFacts): string {
  const platform = facts.status.local ? thisPlatform() : 'other';
  if (findNameProblem(suggested, { taken: [], platform }) !== null) return '';
  const isFree = (name: string) =>
    checkName({ ...facts, name, inTheWay: null, setAside: [] }).verdict !== 'blocker';
  const numbered = Array.from({ length: TRIES }, (_, at) =>
    at === 0 ? `${suggested}-restored` : `${suggested}-restored-${at + 1}`,
  );
  return [suggested, ...numbered].find(isFree) ?? '';
}

const TRIES = 100;

function nameOf(source: WalletSource): string {
  if (source.by === 'file') throw badSource();
  return source.name;
}

/** The file that a plan goes by: of an unnamed wallet that is migrated as a copy, its own. */
function fileOf({ source, facts }: Plan): WalletSource {
  return source.by === 'wallet' && facts.file !== null ? { by: 'file', path: facts.file.path } : source;
}

function badSource(): AppError {
  return new AppError(
    'bad_input',
    say('That does not work with this file or wallet.'),
    say('Nothing was changed.'),
  );
}
