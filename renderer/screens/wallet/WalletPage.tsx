/** The page of one wallet: what it is, whether it is safe, the steps of its job, and the one thing to do now. */
import { Box, Title, VisuallyHidden } from '@mantine/core';
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { isPasted, isPastedText } from '../../../shared/model/files.ts';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Job } from '../../../shared/model/job.ts';
import {
  chosenFile,
  journeyOf,
  plannedJourney,
  plannedKind,
  type Stop,
  type StopId,
} from '../../../shared/model/journey.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { PlanAction } from '../../../shared/model/plan.ts';
import {
  fileKindAdvice,
  fileKindText,
  isSearchableForKeys,
} from '../../../shared/wording/findings/fileKindWords.ts';
import { keepAndLook } from '../../../shared/wording/findings/hints.ts';
import { formatSize } from '../../../shared/wording/format/formatNumber.ts';
import { contentsWords, isUnreadable } from '../../../shared/wording/inspectionWords.ts';
import { STOP_STATES, stopName, stopNote } from '../../../shared/wording/journeyWords.ts';
import { keylessText, TEXT_NOTES } from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { jobVerdict } from '../../../shared/wording/verdictWords.ts';
import { ActionButton, SmallButton, Waiting } from '../../components/buttons.tsx';
import { Choice, ChooseFile, networkOptions } from '../../components/fields.tsx';
import { Disclosure, Dot, ErrorNotice, Notice, SHORT_WINDOW } from '../../components/parts.tsx';
import { FileLine } from '../../components/paths.tsx';
import { Quiet, SafeText, Say } from '../../components/texts.tsx';
import { go, useNode, type WalletRoute } from '../../state/appStore.ts';
import { type NewWallets, useNewWallets } from '../../state/backupsStore.ts';
import { currentPlan } from '../../state/draftsStore.ts';
import { useJobs } from '../../state/jobsStore.ts';
import { forgetFile, markUnreadable, rememberFile } from '../../state/openedStore.ts';
import { migratesHere, useWalletPage, type WalletPageState } from '../../state/useWalletPage.ts';
import { refreshWallets, useWallets } from '../../state/walletsStore.ts';
import { KeyQuestion, useOpenKeys } from '../home/Home.tsx';
import { ActionCard } from './action/ActionCard.tsx';
import { SearchImage } from './action/Searches.tsx';
import { FileAction, NotStarted, useSuggestion } from './action/SuggestedAction.tsx';
import { Hero, KIND_BY_START, pageTitle, shortName } from './Hero.tsx';
import { InterruptedSource } from './job/JobFailure.tsx';
import { EarlierJob, JobOutcome } from './job/JobOutcome.tsx';
import { WalletNext } from './job/NextSteps.tsx';
import { RunCard } from './job/RunCard.tsx';
import { hasTechnical, InspectProblems, Technical } from './tabs/Technical.tsx';
import { WalletTabs } from './tabs/WalletTabs.tsx';
import styles from './WalletPage.module.css';

export function WalletPage({ route }: { route: WalletRoute }) {
  const page = useWalletPage(route);
  const { job, facts, look, inspection, inspecting, wallet, draft, node } = page;
  const newWallets = useNewWallets(job?.state === 'done' ? [job] : []);
  const { source, searched } = route;
  const isNoWallet = source.by === 'file' && facts?.kind === 'other' && searched === undefined;
  // The node opens a file on its own machine.
  const isThere = draft?.chosen === true && node?.local === false;
  const failed = [look, inspecting].find(({ state }) => state === 'failed');
  // What is left of an interrupted wallet need not be readable.
  const isUnread = job === null && !isThere && wallet?.kind !== 'interrupted';
  const error = isUnread && failed?.state === 'failed' ? failed.error : null;
  useTitle(page, error !== null);
  const isGone = error !== null && failed === look;
  // The file's first bytes do not change, so there is no second try.
  const isSure = error?.code === 'not_a_wallet';
  const isImage = failed === look ? error?.code === 'not_a_file' : facts?.kind === 'other';
  const image = error && isImage && source.by === 'file' ? source.path : null;
  const isBeside = useMediaQuery('(min-width: 1600px)');
  const isShort = useMediaQuery(SHORT_WINDOW, undefined, { getInitialValueInEffect: false });
  const isReading = inspecting.state === 'looking' || (look.state === 'looking' && inspection === null);
  const steps = !isGone && <Steps page={page} newWallets={newWallets} />;
  // In a short window, the next step comes before those of its plan.
  const hasStepsLast = isShort && job === null;
  return (
    <div className={styles.page}>
      <div className="page">
        <Hero page={page} isBackedUp={newWallets.isBackedUp} />
        {route.notes?.map((note) => (
          <Notice key={note} tone="read" role="status" title={TEXT_NOTES[note].title}>
            {TEXT_NOTES[note].hint}
          </Notice>
        ))}
        {route.keyless && <Quiet>{keylessText(route.keyless)}</Quiet>}
        {!hasStepsLast && steps}
        {isNoWallet && job === null && <NoWallet page={page} />}
        {error && (
          <ErrorNotice error={error} {...(!isSure && { title: say('File not read') })}>
            {draft?.worse && <p>{say('Nothing was sent.')}</p>}
            {isSure ? (
              <ChooseFile />
            ) : (
              <SmallButton onClick={() => go({ ...route })}>{say('Try again')}</SmallButton>
            )}
          </ErrorNotice>
        )}
        {image !== null && <SearchImage path={image} />}
        {isReading && wallet === null && (inspection === null || job === null) && (
          <Waiting onCancel={inspecting.state === 'looking' ? inspecting.cancel : undefined}>
            {facts ? say('Reading {size}…', { size: formatSize(facts.size) }) : say('Reading the file…')}
          </Waiting>
        )}
        <VisuallyHidden role="status">
          {source.by === 'file' && inspecting.state === 'known' && say('The file was read.')}
        </VisuallyHidden>
        {!isGone && <Main page={page} newWallets={newWallets} />}
        {hasStepsLast && steps}
        {(inspection ?? job ?? wallet) !== null && <WalletTabs page={page} isBeside={isBeside} />}
      </div>
      {isBeside && hasTechnical(page) && (
        <aside className="page" aria-label={say('Technical')}>
          <Title order={2}>{say('Technical')}</Title>
          <Technical page={page} />
        </aside>
      )}
    </div>
  );
}

export function Main({ page, newWallets }: { page: WalletPageState; newWallets: NewWallets }) {
  const listed = useJobs((state) => state.listed);
  const { route, job, draft, inspection, wallet } = page;
  const { source } = route;
  if (job !== null)
    return job.state === 'running' ? <RunCard job={job} /> : <JobOutcome job={job} newWallets={newWallets} />;
  if (route.job !== undefined)
    return listed ? (
      <Notice tone="info" title={say('No record of this')} />
    ) : (
      <Waiting>{say('Opening…')}</Waiting>
    );
  if (draft?.chosen) return <ActionCard draft={draft} />;
  const isInterrupted = (inspection?.incomplete ?? null) !== null || wallet?.kind === 'interrupted';
  if (isInterrupted)
    return (
      <>
        {inspection && <WhichNetwork page={{ ...page, inspection }} />}
        <InterruptedSource page={page} />
      </>
    );
  if (source.by === 'wallet')
    return (
      <>
        {!migratesHere(page) && <NotStarted page={page} />}
        <WalletAction page={page} />
      </>
    );
  if (inspection === null || inspection.coin.verdict === 'other')
    return page.interruption?.copies.length ? null : <NotStarted page={page} />;
  const action = <FileAction page={{ ...page, inspection }} />;
  return (
    <>
      {page.earlier && <EarlierJob job={page.earlier} />}
      <WhichNetwork page={{ ...page, inspection }} />
      {/* Another wallet of the same keys is rarely wanted. */}
      {page.earlier ? <Disclosure summary={say('Start again')}>{action}</Disclosure> : action}
      <InspectProblems inspection={inspection} />
    </>
  );
}

/** Suggests the migration of a legacy wallet, else shows what can be done with the wallet. */
function WalletAction({ page }: { page: WalletPageState }) {
  const { route, node, wallet, draft } = page;
  const { source } = route;
  const migrates = migratesHere(page);
  const isMissing = useWallets(({ wallets }) => wallets !== null && wallet === null);
  useSuggestion(migrates ? { action: 'migrate', source } : null, 'no', draft);
  if (migrates && draft !== null) return <ActionCard draft={draft} />;
  if (node === null)
    return (
      <Notice tone="info" title={say('No node yet')}>
        <p>{say('Connect to this wallet’s node.')}</p>
        <SmallButton onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</SmallButton>
      </Notice>
    );
  if (isMissing)
    return (
      <Notice tone="read" role="alert" title={say('No such wallet here')}>
        <p>{say('It may have moved.')}</p>
        <SmallButton onClick={() => void refreshWallets()}>{say('Check again')}</SmallButton>
      </Notice>
    );
  return wallet && <WalletNext page={{ ...page, wallet, node }} />;
}

/** A put-back may stand on the page of the broken file, but starts from a copy. */
export function Steps({ page, newWallets }: { page: WalletPageState; newWallets: NewWallets }) {
  const { job, draft, facts, route, inspection, node } = page;
  const path =
    route.source.by === 'file' && facts?.temporary !== true ? (facts?.path ?? route.source.path) : null;
  if (job !== null) {
    const known = chosenFile(job)?.path ?? null;
    // An undo moves its backup with the wallet that it renames.
    const isUndo = job.action === 'undo' && known !== null;
    const file = job.action === 'put-back' || isUndo ? known : (path ?? known);
    const stops = journeyOf(job, file, newWallets.newBackups, newWallets.isBackedUp);
    return <Journey stops={stops} job={job} areKeys={isPasted(facts)} />;
  }
  if (draft === null || (inspection?.incomplete ?? null) !== null) return null;
  const isSuggested = route.source.by === 'wallet' ? migratesHere(page) : !page.earlier;
  if (!isSuggested && !draft.chosen) return null;
  const plan = currentPlan(draft);
  // A large file shows its kind long before it is read.
  const kind = inspection?.kind ?? (facts && KIND_BY_START[facts.kind]);
  // A draft that waits may run elsewhere.
  const used = draft.waits === 'no' ? node : null;
  const { action } = draft;
  const isDescriptor = kind === 'descriptor';
  const offline = used === null || used.offline;
  const planned = plan ? plannedKind(plan) : { kind: kindOf(action, kind, used), isDescriptor, offline };
  const file = action === 'put-back' ? (plan?.facts.path ?? null) : path;
  const stops = plannedJourney(planned, file);
  return <Journey stops={stops} job={null} action={action} areKeys={isPasted(facts)} />;
}

/** The kind of the job before its plan says it. Nodes that load legacy wallets restore them as they are, and so does each undo. */
function kindOf(action: PlanAction, kind: Inspection['kind'] | null, node: NodeStatus | null): Job['kind'] {
  if (action === 'undo') return 'restore';
  if (action !== 'restore' && action !== 'put-back') return action;
  const migrates = node === null || node.offline || !node.release.loadsLegacy;
  return kind === 'legacy' && migrates ? 'restore-migrate' : 'restore';
}

export function NoWallet({ page }: { page: WalletPageState }) {
  const { facts, interruption } = page;
  const { busy, error, question, open } = useOpenKeys();
  if (facts === null) return null;
  // The node has not finished writing this wallet.
  if (interruption?.copies.length) return <InterruptedSource page={page} />;
  const { path, fileKind, name } = facts;
  const hasKeys = isSearchableForKeys(fileKind);
  const isUnfinished = fileKind.code === 'other_sqlite' && name === 'wallet.dat';
  // A damaged first page can seem to have another version.
  const isTaken = hasKeys || isUnfinished || ['unknown', 'berkeley_version'].includes(fileKind.code);
  // If the file can be searched, the button says so.
  const advice = isUnfinished ? keepAndLook() : isTaken ? null : fileKindAdvice(fileKind);
  const isEmpty = fileKind.code === 'empty';
  const title = isTaken ? say('A damaged wallet?') : say('Not a Bitcoin Core wallet');
  return (
    <>
      <Notice
        tone={hasKeys ? 'info' : 'read'}
        role="status"
        title={hasKeys ? say('Keys, not a wallet') : title}
      >
        <p>
          <Say text="Type: {kind}." values={{ kind: <SafeText text={fileKindText(fileKind)} /> }} />
        </p>
        {advice !== null && <p>{advice}</p>}
        <div className="row">
          {!hasKeys && <ChooseFile variant={isTaken ? 'default' : 'filled'} />}
          {!isEmpty && (
            <ActionButton
              variant={isTaken ? 'filled' : 'default'}
              busy={busy}
              onClick={() => void open({ by: 'file', path })}
            >
              {say('Search it for keys')}
            </ActionButton>
          )}
        </div>
        {error && <ErrorNotice error={error} />}
        {question && (
          <KeyQuestion
            question={question}
            busy={busy}
            onAnswer={(answers) => void open({ by: 'file', path }, answers)}
          />
        )}
      </Notice>
      {!hasKeys && !isEmpty && <SearchImage path={path} />}
    </>
  );
}

export function WhichNetwork({ page }: { page: WalletPageState & { inspection: Inspection } }) {
  const { inspection, network, setNetwork, facts } = page;
  const { name, from } = inspection.network;
  // A rescue of a damaged file needs it too.
  const isWanted = contentsWords(inspection) !== null || isUnreadable(inspection);
  const isAsked = (name === 'unknown' || from === 'asked') && isWanted;
  if (!isAsked) return null;
  return (
    <div className="card">
      <Choice
        inLine
        label={say('Which network?')}
        description={isPastedText(facts) ? say('The keys do not say.') : say('The file does not say.')}
        value={network}
        options={networkOptions()}
        onChange={setNetwork}
      />
      {name === 'unknown' && <Quiet small>{say('Usually the main network.')}</Quiet>}
    </div>
  );
}

/** The window's title, and the sidebar's entry of a file. */
function useTitle(page: WalletPageState, isLost: boolean): void {
  const { route, inspection, facts, job, interruption, earlier } = page;
  useDocumentTitle(`${visibleText(pageTitle(page), { spaces: true })} – Wallet Ferry`);
  const title = visibleText(shortName(route.source, facts));
  // The first look at a large file may miss what makes it unsafe.
  const isKnown = page.inspecting.state === 'known';
  useEffect(() => {
    const { source } = route;
    if (source.by !== 'file') return;
    if (isLost) return markUnreadable(source.path);
    // The wallet that its job made takes its place in the sidebar.
    if (job?.state === 'done') return forgetFile(source.path);
    if (job === null && facts && !facts.temporary)
      rememberFile({
        path: source.path,
        title,
        inspection: isKnown ? inspection : null,
        interruption,
        earlier,
        facts,
      });
  }, [route, facts, title, inspection, isKnown, interruption, job, isLost, earlier]);
}

const ITS_BACKUP = say('Old wallet’s backup');

interface JourneyProps {
  stops: readonly Stop[];
  /** Null before a job runs: then `action` is that of its plan. */
  job: Job | null;
  action?: PlanAction;
  /** Whether it begins with pasted keys, not with a file. */
  areKeys?: boolean;
}

export function Journey({ stops, job, action, areKeys = false }: JourneyProps) {
  const isLocal = useNode()?.local !== false;
  const nameOf = (id: StopId) => stopName(id, { ...(job ?? { action }), areKeys });
  // The copies of a wallet whose job went wrong are shown with what happened.
  const filed =
    job?.state === 'interrupted' ? [] : stops.filter(({ id }) => id !== 'copy' || job?.state !== 'failed');
  const withPaths = filed.flatMap(({ id, paths }) => paths.map((path) => ({ id, path })));
  return (
    <div className="stack">
      <ol className={styles.strip} aria-label={say('Steps')}>
        {stops.map((stop) => (
          <li
            key={stop.id}
            className={styles.stop}
            data-state={stop.state}
            aria-current={stop.state === 'active' ? 'step' : undefined}
          >
            <Dot
              state={stop.state}
              {...(stop.state === 'failed' && job && { tone: jobVerdict(job, false).tone })}
            />
            <span className={`name ${styles.name}`}>
              {nameOf(stop.id)}
              <VisuallyHidden component="span">: {STOP_STATES[stop.state]}</VisuallyHidden>
            </span>
            <Box component="span" fz="xs" className="dim">
              {stopNote(stop, job)}
            </Box>
          </li>
        ))}
      </ol>
      {withPaths.length > 0 && (
        <ul aria-label={say('Files')}>
          {withPaths.map(({ id, path }) => (
            <li key={path}>
              <FileLine name={id === 'migrate' ? ITS_BACKUP : nameOf(id)} path={path} isLocal={isLocal} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
