/** A job that did not end well: what happened, what is safe, and what to do next. */
import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { passphraseNeed } from '../../../../shared/model/inspection.ts';
import type { Job } from '../../../../shared/model/job.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import type { WalletSource } from '../../../../shared/model/plan.ts';
import type { Interruption, WholeCopy } from '../../../../shared/model/safety.ts';
import { quotedWallet, withTilde } from '../../../../shared/wording/format/names.ts';
import {
  COPY_NAMES,
  copyTitle,
  copyWords,
  fileToRescue,
  hasCopyOfThisWallet,
  interruptionWords,
  isWholeCopy,
} from '../../../../shared/wording/interruptionWords.ts';
import { jobHeading, leftCopyText, MAY_BE_ANOTHER } from '../../../../shared/wording/jobWords.ts';
import { answerTitle } from '../../../../shared/wording/lines.ts';
import { say } from '../../../../shared/wording/say.ts';
import { whySafe } from '../../../../shared/wording/verdictWords.ts';
import { ActionButton, AskingButton, SmallButton } from '../../../components/buttons.tsx';
import { ChooseFile } from '../../../components/fields.tsx';
import { NodeWarnings } from '../../../components/lists.tsx';
import { Disclosure, NodeWords, Notice } from '../../../components/parts.tsx';
import { FileLine, SafetyCopyLines } from '../../../components/paths.tsx';
import { Paragraph } from '../../../components/texts.tsx';
import { isNodeLost, openFile, useApp, useIsNodeInUse } from '../../../state/appStore.ts';
import { attempt } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import { plans } from '../../../state/plansStore.ts';
import { chosenCopy, useInterruptionNow, type WalletPageState } from '../../../state/useWalletPage.ts';
import { beginOffline } from '../../../state/walletActions.ts';
import { NotStarted, SuggestedAction } from '../action/SuggestedAction.tsx';
import { whereToGo } from './KeepOld.tsx';

interface JobFailureProps {
  job: Job;
  /** Below the job's error message: read in its place, without that message. */
  quiet?: boolean;
  children?: ReactNode;
}

export function JobFailure({ job, quiet = false, children }: JobFailureProps) {
  const { state, error, warnings, kind, leftCopy, node, safetyCopy } = job;
  const copies = verifiedCopies(job);
  // Earlier versions wrote the sentence without a code.
  const mayBeAnother =
    error?.finding?.code === 'may_be_another' || error?.hint.includes(MAY_BE_ANOTHER.slice(0, -1));
  if (state === 'interrupted') {
    return (
      <>
        <InterruptedJob job={job} />
        <NodeWarnings warnings={warnings} offline={node.offline} />
      </>
    );
  }
  return (
    <>
      <Notice
        tone="read"
        title={jobHeading(job)}
        isHeading={!quiet}
        role={quiet ? undefined : 'alert'}
        lead={
          <>
            {error && !quiet && <Paragraph text={error.message} />}
            <p>{whySafe(job)}</p>
          </>
        }
      >
        {leftCopy === undefined && (kind === 'restore-migrate' || kind === 'rescue') && <p>{TAKEN_AWAY}</p>}
        {leftCopy?.why === 'not-loaded-again' && (
          <Paragraph text={`${quotedWallet(leftCopy.path)}: ${leftCopyText(leftCopy)}`} />
        )}
        <Copies copies={copies} />
        {safetyCopy && (
          <Disclosure
            look="quiet"
            summary={copies.length > 0 ? say('Details') : copyTitle(safetyCopy.files[0]?.state)}
          >
            <SafetyCopyLines copy={safetyCopy} />
          </Disclosure>
        )}
        {error?.hint && <Paragraph text={error.hint} />}
        {state === 'unknown' && !job.replaced && (
          <>
            {/* The list shows names only. */}
            {!mayBeAnother && <p>{HOW_TO_CHECK[kind]}</p>}
            <SmallButton onClick={() => void attempt(() => bridge.call('jobs.resolve', {}))}>
              {say('Check again')}
            </SmallButton>
          </>
        )}
        {children}
        {error?.node && (
          <Disclosure look="quiet" summary={answerTitle(error.node)}>
            <NodeWords {...error.node} />
          </Disclosure>
        )}
      </Notice>
      {leftCopy && leftCopy.why !== 'not-loaded-again' && (
        <Notice tone="read" title={say('Left in the wallets folder')}>
          <FileLine name={say('Wallet')} path={leftCopy.path} />
          <Paragraph text={`${say('It contains the wallet’s keys.')} ${leftCopyText(leftCopy)}`} />
        </Notice>
      )}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

/** The job's own copy of the wallet, if the app read it and found it whole. */
function verifiedCopies({ safetyCopy }: Job): WholeCopy[] {
  const [own] = safetyCopy?.files ?? [];
  if (safetyCopy === null || own === undefined || !isWholeCopy(safetyCopy)) return [];
  const { path, size, sha256 } = own;
  if (size === null || sha256 === null) return [];
  return [{ path, from: 'safety-copy', made: safetyCopy.made, size, sha256, matches: true }];
}

const TAKEN_AWAY = say('The app removes the placed copy unless the migration started.');

const MIGRATED_IF = `${say('Check the wallet list.')} ${say(
  '“Descriptor”: migrated. “Legacy”: not migrated, or not yet.',
)}`;

const HOW_TO_CHECK: Readonly<Record<Job['kind'], string>> = {
  restore: say('If listed, it was restored. If not, the node may be busy.'),
  migrate: MIGRATED_IF,
  'restore-migrate': MIGRATED_IF,
  rescue: MIGRATED_IF,
  backup: say('It may be incomplete. Use another name.'),
  rescan: say('If its balance is low, rescan.'),
};

interface InterruptedProps {
  interruption: Interruption;
  source: WalletSource;
  /** The wallet’s node. A file has none. */
  node?: Omit<Job['node'], 'release'> | undefined;
  /** Why it cannot be put back now, in a sentence; null where it can. */
  blocked?: string | null;
  /** Takes the place of the button. */
  children?: ReactNode;
}

/** A wallet that was left incomplete: what happened, the whole copies of it, and the button that puts it back. */
function Interrupted({ interruption, source, node, blocked: why = null, children }: InterruptedProps) {
  const { copies, restoredAs } = interruption;
  const [first] = copies;
  const { title, hint } = interruptionWords(interruption, node?.offline);
  const isLost = useApp(isNodeLost);
  const blocked = why ?? (isLost && node ? whereToGo(node) : null);
  if (restoredAs !== undefined) {
    return (
      <Notice tone="info" title={title} role="status">
        <Paragraph text={hint.join(' ')} />
      </Notice>
    );
  }
  const request = { action: 'put-back', source, answers: chosenCopy(interruption) } as const;
  const { walletsFolder, network } = node ?? {};
  // A node may not start while the wallet is incomplete.
  const putBackHere =
    walletsFolder && network ? () => beginOffline({ walletsFolder, network }, request) : null;
  const safe = hasCopyOfThisWallet(copies);
  const toRescue = fileToRescue(interruption);
  const isShown = ({ isOther }: WholeCopy) => !safe || !isOther;
  const others = copies.filter((copy) => !isShown(copy));
  const likeliest = safe ? copies.find(isShown) : undefined;
  return (
    <Notice
      {...(safe ? { tone: 'good', spoken: say('Safe:') } : { tone: toRescue === null ? 'danger' : 'read' })}
      title={title}
      isHeading
      role="alert"
      lead={
        <>
          {/* On screen, it stands in the list. */}
          {likeliest && (
            <VisuallyHidden>
              {`${COPY_NAMES[likeliest.from]}: ${visibleText(withTilde(likeliest.path))}`}
            </VisuallyHidden>
          )}
          {hint.length > 0 && <Paragraph text={hint.join(' ')} />}
          {first && blocked !== null && <p>{blocked}</p>}
        </>
      }
    >
      <Copies copies={copies.filter(isShown)} />
      {children}
      {first === undefined && toRescue === null && <ChooseFile variant={node ? 'filled' : 'default'} />}
      {toRescue !== null && blocked === null && children === undefined && (
        <ActionButton
          onClick={() => plans.begin([{ action: 'rescue', source: { by: 'file', path: toRescue } }])}
        >
          {say('Rescue this wallet')}
        </ActionButton>
      )}
      {first && toRescue === null && blocked === null && children === undefined && (
        <ActionButton onClick={() => plans.begin([request])}>{say('Put the old wallet back')}</ActionButton>
      )}
      {first && blocked !== null && putBackHere && (
        <AskingButton call={putBackHere} failed={say('Start failed')}>
          {say('Work without a node')}
        </AskingButton>
      )}
      {others.length > 0 && (
        <Disclosure look="quiet" summary={OTHER_COPIES}>
          <Copies copies={others} label={OTHER_COPIES} />
        </Disclosure>
      )}
    </Notice>
  );
}

const OTHER_COPIES = say('Other wallets’ copies');

function Copies({ copies, label = say('Whole copies') }: Pick<Interruption, 'copies'> & { label?: string }) {
  if (copies.length === 0) return null;
  return (
    <ul className="stack" aria-label={label}>
      {copies.map((copy) => (
        <li key={copy.path}>
          <FileLine path={copy.path} name={COPY_NAMES[copy.from]} note={copyWords(copy)} isLocal />
        </li>
      ))}
    </ul>
  );
}

/** Of a job, as it ended. It may have been put back since. */
function InterruptedJob({ job }: { job: Job }) {
  const { interruption, wallet, node } = job;
  const here = useIsNodeInUse(node);
  const source = { by: 'wallet', name: wallet } as const;
  const look = useInterruptionNow(job);
  // The top of the page says that a wallet is whole again.
  if (interruption === undefined || look?.isWhole) return null;
  const blocked = !here
    ? whereToGo(node)
    : look?.interruption === null
      ? say('The app cannot read its file.')
      : null;
  return (
    <Interrupted
      interruption={look?.interruption ?? interruption}
      source={source}
      node={node}
      blocked={blocked}
    />
  );
}

/** Of the page's file or wallet. Renders nothing for a whole one. */
export function InterruptedSource({ page }: { page: WalletPageState }) {
  const { route, interruption, inspection, network: chosen, draft, node } = page;
  const { source } = route;
  const [copy] = interruption?.copies ?? [];
  if (source.by === 'wallet' || interruption?.restoredAs !== undefined)
    return (
      <>
        <NotStarted page={page} />
        {interruption && <Interrupted interruption={interruption} source={source} node={node ?? undefined} />}
      </>
    );
  const network = copy?.network ?? chosen ?? inspection?.network.name ?? 'unknown';
  // Without a copy, the file itself still has its legacy records.
  const isOnlyCopy = interruption?.copies.length === 0 && inspection?.incomplete === 'legacy-records';
  const request =
    interruption && copy
      ? ({ action: 'put-back', source, answers: chosenCopy(interruption) } as const)
      : isOnlyCopy
        ? ({ action: 'rescue', source } as const)
        : null;
  const isAsked = network === 'unknown';
  return (
    <>
      {interruption && (
        <Interrupted interruption={interruption} source={source}>
          {isAsked && copy && (
            <ActionButton onClick={() => openFile(copy.path)}>{say('Open this copy')}</ActionButton>
          )}
        </Interrupted>
      )}
      {request && !isAsked ? (
        <SuggestedAction
          route={route}
          draft={draft}
          request={request}
          network={network}
          kind="legacy"
          passphrase={request.action === 'rescue' && inspection ? passphraseNeed(inspection) : null}
        />
      ) : (
        <NotStarted page={page} />
      )}
    </>
  );
}
