/** The one thing to do now: what it needs, what to read before it, and its button. */
import { Box, Group, NativeSelect, TextInput, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import type { Network } from '../../../../shared/model/network.ts';
import { type Ask, askOf, checksOf, type Plan, type PlanAction } from '../../../../shared/model/plan.ts';
import { needsRescue, type Way, waysFor } from '../../../../shared/model/way.ts';
import { notSent } from '../../../../shared/wording/findings/hints.ts';
import { isUnreadable } from '../../../../shared/wording/inspectionWords.ts';
import { cardWords, PASSPHRASE_LACKING, resultOf } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import parts from '../../../components/parts.module.css';
import { Disclosure } from '../../../components/parts.tsx';
import { MovedWallets } from '../../../components/paths.tsx';
import { AskingButton, Waiting } from '../../../components/progress.tsx';
import { Quiet, SafeText, Spoken } from '../../../components/texts.tsx';
import { go, useApp, useNode } from '../../../state/appStore.ts';
import {
  type Draft,
  type NewRequest,
  passphraseFields,
  seenPlan,
  stopOf,
  wrongPassphrase,
} from '../../../state/draft.ts';
import { useNodes } from '../../../state/nodesStore.ts';
import { usePlans } from '../../../state/plansStore.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { AskField, PassphraseField } from './Asks.tsx';
import { isLoud, Warnings } from './CheckList.tsx';
import { NearlyRemembered } from './Searches.tsx';

/** The action for a file. */
export function FileAction({ page }: { page: WalletPageState & { inspection: Inspection } }) {
  const { route, facts, inspection, draft } = page;
  const rescues = facts?.kind === 'other' || needsRescue(inspection);
  return (
    <SuggestedAction
      route={route}
      draft={draft}
      request={{ action: rescues ? 'rescue' : 'restore', source: route.source }}
      network={inspection.network.name}
      kind={inspection.kind}
      encryption={isUnreadable(inspection) ? null : inspection.encryption}
    />
  );
}

interface SuggestedActionProps extends Pick<WalletPageState, 'route' | 'draft'> {
  request: NewRequest;
  network: Network | 'unknown';
  kind: Inspection['kind'];
  encryption: Inspection['encryption'];
}

/** Suggests an action on the node or the engine that the user chooses, and shows its card. */
export function SuggestedAction({ route, draft, request, network, kind, encryption }: SuggestedActionProps) {
  const connection = useApp((state) => state.connection);
  const { found, lookError, look } = useNodes();
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(() => void (found === null && look()), [found, look]);
  const rescues = request.action === 'rescue';
  const ways =
    network === 'unknown' ? [] : waysFor({ network, kind, rescues, connection, found: found ?? [] });
  const way = ways.find((one) => keyOf(one) === chosen) ?? ways[0];
  const isLooking = found === null && lookError === null && way?.by !== 'in-use';
  const migrates = way !== undefined && migratesToo(way) && kind === 'legacy';
  const locked = encryption !== null && migrates && !rescues;
  const waits = way === undefined ? 'start' : way.by === 'in-use' ? 'no' : locked ? 'passphrase' : 'start';
  const canSuggest = way !== undefined && !isLooking;
  const asked = JSON.stringify(request);
  useEffect(() => {
    if (canSuggest) usePlans.getState().suggest(JSON.parse(asked), waits);
  }, [canSuggest, asked, waits]);
  if (way === undefined) return null;
  if (draft === null) return <Waiting>{say('Searching for nodes…')}</Waiting>;
  return (
    <ActionCard
      draft={draft}
      secondsPerTry={encryption?.secondsPerTry ?? null}
      isEncrypted={encryption !== null}
      migrates={migrates}
      connect={() => reach(way)}
      where={<Where ways={ways} way={way} onWay={setChosen} route={route} />}
    />
  );
}

/** Throws AppError. The engine keeps its wallets in the app's own folder. */
async function reach(way: Way): Promise<void> {
  const { connect, workOffline } = useApp.getState();
  if (way.by === 'found') await connect({ by: 'found', id: way.id });
  if (way.by === 'engine') await workOffline({ walletsFolder: null, network: way.network });
}

/** Whether a restore there also migrates a legacy wallet: it could not be loaded, or would gain nothing. */
function migratesToo(way: Way): boolean {
  return way.by === 'engine' || way.node.offline || !way.node.release.loadsLegacy;
}

function keyOf(way: Way): string {
  return way.by === 'found' ? way.id : way.by;
}

function nameOf(way: Way): string {
  if (way.by === 'engine' || way.node.offline) return say('On this computer, without Bitcoin Core');
  return say('On your Bitcoin Core {release}', { release: way.node.release.text });
}

interface WhereProps extends Pick<WalletPageState, 'route'> {
  ways: readonly Way[];
  way: Way;
  onWay: (key: string) => void;
}

function Where({ ways, way, onWay, route }: WhereProps) {
  const connectThen = useApp((state) => state.connectThen);
  return (
    <div className={`${layout.line} ${layout.small}`}>
      <span aria-hidden>{say('Where:')}</span>
      <NativeSelect
        size="xs"
        flex="none"
        maw="100%"
        aria-label={say('Where')}
        value={keyOf(way)}
        data={[
          ...ways.map((one) => ({ value: keyOf(one), label: nameOf(one) })),
          { value: OTHER, label: say('On another node…') },
        ]}
        onChange={({ currentTarget: { value } }) => (value === OTHER ? connectThen(route) : onWay(value))}
      />
    </div>
  );
}

const OTHER = 'other';

interface ActionCardProps {
  draft: Draft;
  /** Facts about the file, for before there is a plan. */
  secondsPerTry?: number | null;
  isEncrypted?: boolean;
  migrates?: boolean;
  /** Connects to where a draft that waits is to run. */
  connect?: () => Promise<void>;
  where?: ReactNode;
}

export function ActionCard({ draft, connect, where, ...known }: ActionCardProps) {
  const { key, action, looking, error, worse, chosen } = draft;
  const { start, lookAgain, cancelLook, leave } = usePlans.getState();
  const isStarting = usePlans((state) => state.starting === key);
  const titleId = useId();
  const stopId = useId();
  const plan = seenPlan(draft);
  const stop = stopOf(draft);
  const { title, lead, button } = cardWords(action, plan, known.migrates ?? false);
  // A rescan shows its blocks and its estimated time instead.
  const promise = plan?.kind === 'rescan' ? resultOf(plan) : SAFETY[action];
  // What only another step can put right takes the place of the button. A field to fill in holds the button back.
  const isStopped = plan !== null && !isStarting && hasCause(plan);
  // That holds also of a plan that cannot run.
  const kept = promise === FILE_UNCHANGED ? promise : '';
  const text = isStopped ? kept : [lead, promise].join(' ').trim();
  const isNameBad = isStopped && askOf(plan, 'name')?.check.verdict === 'blocker';
  const isWaiting = draft.waits !== 'no';
  // A card that connected keeps its Cancel until the connection of before is back.
  const canCancel = chosen || (connect !== undefined && !isWaiting && (plan !== null || !looking));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (stop === null) void start(key, connect);
  }

  const passphrase = passphraseAsk(draft, plan, known);
  const again = plan !== null && (error !== null || plan.checks.some(isLoud));
  const buttons = (
    <>
      {isStopped ? (
        <OtherWays plan={plan} isFirst />
      ) : (
        <ActionButton type="submit" busy={isStarting} blocked={stop !== null} describedBy={stopId}>
          {button}
        </ActionButton>
      )}
      {again && (
        <ActionButton
          variant={isStopped && !hasRemedy(plan) ? 'filled' : 'default'}
          onClick={() => lookAgain(key)}
        >
          {say('Check again')}
        </ActionButton>
      )}
      {canCancel && (
        <ActionButton variant="subtle" onClick={() => leave(key)}>
          {say('Cancel')}
        </ActionButton>
      )}
    </>
  );
  return (
    <form
      className={`${layout.card} ${parts.card}`}
      onSubmit={submit}
      aria-labelledby={titleId}
      aria-busy={looking}
      data-planned={plan !== null ? 'yes' : isWaiting ? 'on-start' : 'no'}
    >
      <div className={layout.ends}>
        <h2 id={titleId} className={parts.title}>
          {title}
        </h2>
        {where}
      </div>
      {text !== '' && <p className={layout.dim}>{text}</p>}
      {worse && <GotWorse />}
      {error && (
        <ErrorNotice
          error={error}
          title={isWaiting ? say('Not connected') : plan ? say('Not started') : say('Check failed')}
        />
      )}
      {!plan && looking && !isStarting && (
        <Waiting onCancel={() => cancelLook(key)}>{say('Checking…')}</Waiting>
      )}
      {!plan && !looking && !isWaiting && <WithoutPlan again={() => lookAgain(key)} />}
      {plan && (
        <>
          <Warnings checks={plan.checks} />
          <MovedWallets wallets={plan.movedWallets} />
          {!isStopped && <OtherWays plan={plan} />}
          {plan.asks.filter(isOpenAsk).map((ask) => (
            <AskField key={ask.ask} ask={ask} draft={draft} plan={plan} />
          ))}
        </>
      )}
      {passphrase ? (
        <PassphraseField ask={passphrase} draft={draft} button={isNameBad ? null : buttons} />
      ) : (
        !isNameBad && <div className={layout.row}>{buttons}</div>
      )}
      <Spoken id={stopId}>
        {stop !== null &&
          (isShownAbove(draft, plan) ? (
            <VisuallyHidden>{visibleText(stop)}</VisuallyHidden>
          ) : (
            <Quiet small>
              <SafeText text={stop} />
            </Quiet>
          ))}
      </Spoken>
      <Group gap="4px 20px" align="baseline">
        {passphrase?.canBeTried && <PassphraseSearch draft={draft} />}
        <Choices draft={draft} plan={plan} nameButtons={isNameBad ? buttons : null} />
      </Group>
    </form>
  );
}

/** Whether something stops a plan that none of its fields can put right, or a name that is taken. */
function hasCause({ checks, asks }: Plan): boolean {
  const fields = asks.filter(({ ask }) => ask === 'name' || ask === 'wallets-folder');
  return checksOf({ checks, asks: fields }).some(({ verdict }) => verdict === 'blocker');
}

/** The plan did not start: a check got worse since it was shown. */
export function GotWorse() {
  return (
    <Notice tone="read" title={say('Something changed')} role="alert">
      <p>{notSent(say('Read the checks again.'))}</p>
    </Notice>
  );
}

/** A draft that was restored after a reload has no plan until there is a node. */
function WithoutPlan({ again }: { again: () => void }) {
  const node = useNode();
  if (node !== null) return <SmallButton onClick={again}>{say('Check again')}</SmallButton>;
  return (
    <div className={layout.row}>
      <SmallButton onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</SmallButton>
    </div>
  );
}

/** The search for a passphrase, which it puts into the field. */
function PassphraseSearch({ draft: { key, source } }: { draft: Draft }) {
  function take(passphrase: string) {
    const field = passphraseFields.get(key);
    if (!field) return;
    field.value = passphrase;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  }
  return <NearlyRemembered source={source} onFound={take} />;
}

/** Whether the card already shows why it cannot start: a wrong passphrase, a name, a blocker, or that the check runs. */
function isShownAbove(draft: Draft, plan: Plan | null): boolean {
  if (plan === null && draft.looking) return true;
  const isWrong = wrongPassphrase(draft) !== null;
  const isNameBad = plan !== null && askOf(plan, 'name')?.check.verdict === 'blocker';
  // Its field asks for it.
  const isUntyped = stopOf(draft) === PASSPHRASE_LACKING;
  return (
    isWrong || isNameBad || isUntyped || (plan?.checks.some(({ verdict }) => verdict === 'blocker') ?? false)
  );
}

type PassphraseAsk = Extract<Ask, { ask: 'passphrase' }>;

/** The plan's question, or before there is a plan the file's. */
function passphraseAsk(
  draft: Draft,
  plan: Plan | null,
  known: Pick<ActionCardProps, 'isEncrypted' | 'secondsPerTry'>,
): PassphraseAsk | null {
  if (plan !== null) return askOf(plan, 'passphrase') ?? null;
  const before = draft.plan && askOf(draft.plan, 'passphrase');
  if (before) return before;
  // While the plan is made, a field with something in it stays.
  const needed = draft.waits === 'passphrase' || (draft.waits === 'no' && draft.typed);
  if (!needed && !(draft.action === 'rescue' && known.isEncrypted)) return null;
  return { ask: 'passphrase', needed, canBeTried: true, secondsPerTry: known.secondsPerTry ?? null };
}

export function isOpenAsk({ ask }: Ask): boolean {
  return ask !== 'passphrase' && ask !== 'name' && !OPTIONS.has(ask);
}

const OPTIONS: ReadonlySet<Ask['ask']> = new Set(['load-on-startup', 'load-afterwards', 'rescan-from']);

interface ChoicesProps {
  draft: Draft;
  plan: Plan | null;
  /** The buttons of the card where the name stops the plan: they come after it. */
  nameButtons: ReactNode;
}

/** The name, the place and the options, each folded because few people need them. */
function Choices({ draft, plan, nameButtons }: ChoicesProps) {
  const { key, action, answers, waits } = draft;
  const { answer } = usePlans.getState();
  const name = plan ? askOf(plan, 'name') : undefined;
  // Before there is a plan, the name of the wallet is all that can be chosen.
  const isNameAsked = name || (!plan && waits !== 'no' && (action === 'restore' || action === 'rescue'));
  const options = plan?.asks.filter(({ ask }) => OPTIONS.has(ask)) ?? [];
  if (!isNameAsked && options.length === 0) return null;
  return (
    <>
      {isNameAsked && (
        <Disclosure
          look="quiet"
          summary={say('Name and place')}
          startsOpen={name?.check.verdict === 'warning' || name?.check.verdict === 'blocker'}
        >
          <Box maw={480}>
            {name && plan ? (
              <AskField ask={name} draft={draft} plan={plan} buttons={nameButtons} />
            ) : (
              <TextInput
                label={say('Wallet name')}
                description={say('Empty: the file’s name.')}
                value={answers.name ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  answer(key, { name: value === '' ? undefined : value })
                }
              />
            )}
          </Box>
        </Disclosure>
      )}
      {plan && options.length > 0 && (
        <Disclosure look="quiet" summary={say('Options')}>
          <Box maw={480} className={layout.stack}>
            {options.map((ask) => (
              <AskField key={ask.ask} ask={ask} draft={draft} plan={plan} />
            ))}
          </Box>
        </Disclosure>
      )}
    </>
  );
}

const FILE_UNCHANGED = say('Your file never changes.');

const SAFETY: Readonly<Record<PlanAction, string>> = {
  restore: FILE_UNCHANGED,
  migrate: say('Makes a copy first. You can undo it.'),
  backup: '',
  undo: say('Nothing is deleted.'),
  rescue: FILE_UNCHANGED,
  rescan: say('A rescan only adds payments.'),
  'put-back': say('Nothing is deleted.'),
};

/** Whether the card has a button against what stops its plan. */
function hasRemedy(plan: Plan): boolean {
  const { isHalf, file } = otherWays(plan);
  const isFolder = askOf(plan, 'wallets-folder')?.check.verdict === 'blocker';
  return (
    isHalf || file !== null || plan.elsewhere !== null || askOf(plan, 'name')?.free !== undefined || isFolder
  );
}

/** What else can be done with a wallet that its plan stops: a rescue of its file, or the old wallet put back. */
function otherWays({ kind, action, checks, facts }: Plan): { file: string | null; isHalf: boolean } {
  const { path, contents } = facts;
  // A node may still load a legacy wallet as it is.
  const isFit = kind === 'restore-migrate' || kind === 'migrate' || contents?.kind === 'descriptor';
  // A rescue always works on the file, also that of a node's wallet.
  const file = isFit && path !== null && contents && needsRescue(contents) ? path : null;
  const isHalf = checks.some(({ id, verdict }) => id === 'interrupted' && verdict === 'blocker');
  return { file, isHalf: isHalf && action !== 'put-back' };
}

/** `isFirst`: nothing else can be done. */
function OtherWays({ plan, isFirst = false }: { plan: Plan; isFirst?: boolean }) {
  const { source, elsewhere } = plan;
  const look = isFirst
    ? ({ variant: 'filled', size: 'sm' } as const)
    : ({ variant: 'default', size: 'compact-sm' } as const);
  const { begin } = usePlans.getState();
  const { file, isHalf } = otherWays(plan);
  return (
    <>
      {elsewhere && <WorkElsewhere plan={plan} look={look} />}
      {file !== null && (
        <ActionButton
          {...look}
          {...(elsewhere && { variant: 'default' })}
          onClick={() => begin([{ action: 'rescue', source: { by: 'file', path: file } }])}
        >
          {say('Rescue')}
        </ActionButton>
      )}
      {isHalf && (
        <ActionButton {...look} onClick={() => begin([{ action: 'put-back', source }])}>
          {say('Put the old wallet back')}
        </ActionButton>
      )}
    </>
  );
}

/** For a file on the node's machine, the user chooses again. For a wallet of the node, the app uses its file at once. */
interface WorkElsewhereProps {
  plan: Plan;
  look: Pick<ComponentProps<typeof ActionButton>, 'variant' | 'size'>;
}

function WorkElsewhere({ plan: { elsewhere, source, facts, node }, look }: WorkElsewhereProps) {
  const { connectThen, workOffline } = useApp.getState();
  const { path, contents } = facts;
  async function leave() {
    if (source.by !== 'wallet' || path === null)
      return connectThen(elsewhere === 'another-file' ? { at: 'home' } : { at: 'wallet', source });
    const ofFile = contents?.network.name ?? 'unknown';
    await workOffline({ walletsFolder: null, network: ofFile === 'unknown' ? node.network : ofFile });
    const action = contents && needsRescue(contents) ? 'rescue' : 'restore';
    usePlans.getState().begin([{ action, source: { by: 'file', path } }]);
  }
  return (
    <AskingButton {...look} call={leave} failed={say('Not connected')}>
      {say('Work without a node')}
    </AskingButton>
  );
}
