/** The one thing to do now: what it needs, what to read before it, and its button. */
import { Box, Group, TextInput, VisuallyHidden } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { type ReactNode, useId, useRef } from 'react';
import { needsRescue, passphraseNeed } from '../../../../shared/model/inspection.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import {
  checksOf,
  type Plan,
  type PlanAction,
  type Question,
  questionOf,
} from '../../../../shared/model/plan.ts';
import type { Check } from '../../../../shared/model/safety.ts';
import { notSent } from '../../../../shared/wording/findings/hints.ts';
import { cardWords, resultText } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, AskingButton, SmallButton, Waiting } from '../../../components/buttons.tsx';
import { Form, typeInto } from '../../../components/fields.tsx';
import { Disclosure, ErrorNotice, Notice } from '../../../components/parts.tsx';
import { MovedWallets } from '../../../components/paths.tsx';
import { Paragraph, Quiet, SafeText, Spoken } from '../../../components/texts.tsx';
import { connectThen, go, isNodeLost, useApp, useNode } from '../../../state/appStore.ts';
import {
  currentPlan,
  type Draft,
  fileChangedError,
  lacksPassphrase,
  passphraseFields,
  useDrafts,
  whyNotReady,
  wrongPassphrase,
} from '../../../state/draftsStore.ts';
import { plans } from '../../../state/plansStore.ts';
import { beginOffline } from '../../../state/walletActions.ts';
import { isLoud, Warnings } from './CheckList.tsx';
import { PassphraseQuestionField } from './PassphraseField.tsx';
import { QuestionField } from './Questions.tsx';
import { NearlyRemembered } from './Searches.tsx';

interface ActionCardProps {
  draft: Draft;
  /** Facts about the file, for before there is a plan. */
  passphrase?: ReturnType<typeof passphraseNeed>;
  migrates?: boolean;
  /** Whether it makes a wallet of pasted keys, and no file of the user's is read. */
  areKeys?: boolean | undefined;
  /** The wallets folder where a draft that waits is to run; null if unknown. */
  place?: string | null;
  connect?: () => Promise<void>;
  where?: ReactNode;
}

export function ActionCard({ draft, connect, where, ...known }: ActionCardProps) {
  const { key, action, isPlanning, error, worse, chosen, connectionBefore } = draft;
  const isStarting = useDrafts((state) => state.starting.includes(key));
  const form = useRef<HTMLFormElement>(null);
  // What kept it from starting may be below the edge of a low window.
  useDidUpdate(() => {
    if (!isStarting) form.current?.scrollIntoView({ block: 'nearest' });
  }, [isStarting]);
  const titleId = useId();
  const stopId = useId();
  const plan = currentPlan(draft);
  // What blocks the plan changes when the node is lost or returns.
  useApp(isNodeLost);
  const stop = whyNotReady(draft);
  // Screen readers have already read what the card shows above the button.
  const isShown = isShownAbove(draft, plan, isStarting);
  // A problem that no field can solve replaces the button with the remedies. An empty field only disables it.
  const isStopped = plan !== null && !isStarting && hasCause(plan);
  const remedies = isStopped ? remediesOf(draft, plan) : [];
  const rescues = remedies[0]?.isRescue === true;
  const shownAction = rescues ? 'rescue' : action;
  const { title, lead, button } = cardWords(shownAction, plan, known.migrates ?? false);
  const safety = known.areKeys ? '' : safetyWords(shownAction, plan);
  // A rescan shows its blocks and its estimated time instead.
  const promise = plan?.kind === 'rescan' && !rescues ? resultText(plan) : safety;
  // The rescue has warnings of its own.
  const shownChecks = plan?.checks.filter(({ verdict }) => !rescues || verdict === 'blocker') ?? [];
  // The file is only read, also by a plan that cannot run.
  const kept = promise === ONLY_READ ? promise : '';
  const text = isStopped && !rescues ? kept : [lead, promise].join(' ').trim();
  const hasRemedy =
    isStopped &&
    (remedies.length > 0 ||
      questionOf(plan, 'name')?.free !== undefined ||
      questionOf(plan, 'wallets-folder')?.check.verdict === 'blocker');
  const isNameBad = isStopped && questionOf(plan, 'name')?.check.verdict === 'blocker';
  const isWaiting = draft.waits !== 'no';
  const canCancel = chosen || isStarting || connectionBefore !== null;

  const passphrase = shownQuestion(draft, plan, known);
  const need = plan?.facts.contents ? passphraseNeed(plan.facts.contents) : known.passphrase;
  // The new plan is of the changed file. Keep saying what it was when the user saw it.
  const changed = fileChangedError(draft);
  const again = plan !== null && (error !== null || plan.checks.some(isLoud));
  const buttons = (
    <>
      {isStopped ? (
        <Remedies draft={draft} plan={plan} isFirst />
      ) : (
        <ActionButton type="submit" busy={isStarting} blocked={stop !== null} describedBy={stopId}>
          {button}
        </ActionButton>
      )}
      {again && (
        <ActionButton
          variant={isStopped && !hasRemedy ? 'filled' : 'default'}
          onClick={() => plans.planAgain(key)}
        >
          {say('Check again')}
        </ActionButton>
      )}
      {canCancel && (
        <ActionButton variant="subtle" onClick={() => plans.leave(key)}>
          {say('Cancel')}
        </ActionButton>
      )}
    </>
  );
  return (
    <Form
      ref={form}
      className="card"
      onSubmit={() => stop === null && plans.start(key, connect)}
      aria-labelledby={titleId}
      aria-busy={isPlanning}
      data-planned={plan !== null ? 'yes' : isWaiting ? 'on-start' : 'no'}
    >
      <div className="ends">
        <h2 id={titleId} className="title">
          {title}
        </h2>
        {where}
      </div>
      {text !== '' && <p className="dim">{text}</p>}
      {worse && (changed ? <ErrorNotice error={changed} title={say('Not started')} /> : <GotWorse />)}
      {error && (
        <ErrorNotice
          error={error}
          title={isWaiting ? say('Not connected') : plan ? say('Not started') : say('Check failed')}
        />
      )}
      {!plan && isPlanning && !isStarting && (
        <Waiting onCancel={() => plans.cancelPlanning(key)}>{say('Checking…')}</Waiting>
      )}
      {!plan && !isPlanning && !isWaiting && <WithoutPlan again={() => plans.planAgain(key)} />}
      <Spoken>{plan && <Warnings checks={shownChecks} />}</Spoken>
      {plan && (
        <>
          <MovedWallets wallets={plan.movedWallets} />
          {!isStopped && <Remedies draft={draft} plan={plan} />}
          {plan.asks.filter(isOpenQuestion).map((question) => (
            <QuestionField key={question.ask} question={question} draft={draft} />
          ))}
        </>
      )}
      {passphrase ? (
        <PassphraseQuestionField question={passphrase} draft={draft} button={isNameBad ? null : buttons} />
      ) : (
        !isNameBad && <div className="row">{buttons}</div>
      )}
      <div id={stopId} style={{ display: 'contents' }}>
        {stop !== null && isShown && <VisuallyHidden>{visibleText(stop)}</VisuallyHidden>}
        <Spoken>{stop !== null && !isShown && <Paragraph text={stop} quiet />}</Spoken>
      </div>
      <Group gap="4px 20px" align="baseline">
        {passphrase?.canBeTried && need?.isSearchable && (
          <NearlyRemembered
            source={draft.source}
            onFound={(found) => typeInto(passphraseFields.get(key), found)}
          />
        )}
        <Choices
          draft={draft}
          plan={plan}
          place={plan ? plan.node.identity.walletsFolder : (known.place ?? null)}
          nameButtons={isNameBad ? buttons : null}
        />
      </Group>
    </Form>
  );
}

/** Whether the plan is stopped by a taken name, or by something that none of its fields can fix. */
function hasCause({ checks, asks }: Plan): boolean {
  const fields = asks.filter(({ ask }) => ask === 'name' || ask === 'wallets-folder');
  return checksOf({ checks, asks: fields }).some(({ verdict }) => verdict === 'blocker');
}

/** The plan did not start: a check got worse since it was shown. */
export function GotWorse() {
  return (
    <Notice tone="read" title={say('Something changed')} role="alert">
      <p>{notSent(say('Check the plan before you start again.'))}</p>
    </Notice>
  );
}

/** A draft that was restored after a reload has no plan until there is a node. */
function WithoutPlan({ again }: { again: () => void }) {
  const node = useNode();
  const isLost = useApp(isNodeLost);
  if (node !== null) return !isLost && <SmallButton onClick={again}>{say('Check again')}</SmallButton>;
  return (
    <div className="row">
      <SmallButton onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</SmallButton>
    </div>
  );
}

/** Whether the card already shows why it cannot start: a wrong passphrase, a name, a blocker, that the check runs, or its error. */
function isShownAbove(draft: Draft, plan: Plan | null, isStarting: boolean): boolean {
  if (plan === null && draft.waits === 'no') return draft.isPlanning ? !isStarting : draft.error !== null;
  const isWrong = wrongPassphrase(draft) !== null;
  const isNameBad = plan !== null && questionOf(plan, 'name')?.check.verdict === 'blocker';
  // The empty passphrase field asks for the passphrase itself.
  const isUntyped = lacksPassphrase(draft);
  return (
    isWrong || isNameBad || isUntyped || (plan?.checks.some(({ verdict }) => verdict === 'blocker') ?? false)
  );
}

type PassphraseQuestion = Extract<Question, { ask: 'passphrase' }>;

/** The plan's question, or before there is a plan the file's. */
function shownQuestion(
  draft: Draft,
  plan: Plan | null,
  known: Pick<ActionCardProps, 'passphrase'>,
): PassphraseQuestion | null {
  if (plan !== null) return questionOf(plan, 'passphrase') ?? null;
  const before = draft.plan && questionOf(draft.plan, 'passphrase');
  if (before) return before;
  // While the plan is made, a field with something in it stays.
  const needed = draft.waits === 'passphrase' || (draft.waits === 'no' && draft.typed);
  if (!needed && !(draft.action === 'rescue' && known.passphrase)) return null;
  return {
    ask: 'passphrase',
    needed,
    canBeTried: true,
    secondsPerTry: known.passphrase?.secondsPerTry ?? null,
  };
}

export function isOpenQuestion({ ask }: Question): boolean {
  return ask !== 'passphrase' && ask !== 'name' && !OPTIONS.has(ask);
}

const OPTIONS: ReadonlySet<Question['ask']> = new Set(['load-on-startup', 'load-afterwards', 'rescan-from']);

interface ChoicesProps {
  draft: Draft;
  plan: Plan | null;
  place: string | null;
  /** The buttons of the card where the name stops the plan: they come after it. */
  nameButtons: ReactNode;
}

/** The name, the place and the options, each folded because few people need them. */
function Choices({ draft, plan, place, nameButtons }: ChoicesProps) {
  const { key, action, answers, waits } = draft;
  const name = plan ? questionOf(plan, 'name') : undefined;
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
              <QuestionField question={name} draft={draft} buttons={nameButtons} />
            ) : (
              <TextInput
                label={say('Wallet name')}
                description={say('Default: the file’s name.')}
                value={answers.name ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  plans.answer(key, { name: value === '' ? undefined : value })
                }
              />
            )}
          </Box>
          {place !== null && (
            <Quiet small>
              {say('Wallets folder')}: <SafeText text={place} home />
            </Quiet>
          )}
        </Disclosure>
      )}
      {plan && options.length > 0 && (
        <Disclosure look="quiet" summary={say('Options')}>
          <Box maw={480} className="stack">
            {options.map((question) => (
              <QuestionField key={question.ask} question={question} draft={draft} />
            ))}
          </Box>
        </Disclosure>
      )}
    </>
  );
}

const ONLY_READ = say('Your file is only read.');

/** Promises no copy before the plan says that the app makes one, and no undo if the app cannot see the files. */
function safetyWords(action: PlanAction, plan: Plan | null): string {
  if (action !== 'migrate') return SAFETY[action];
  if (plan === null || questionOf(plan, 'own-copy')) return '';
  return [
    say('Makes a copy first.'),
    ...(plan.node.identity.walletsFolder ? [say('You can undo it.')] : []),
  ].join(' ');
}

const SAFETY: Readonly<Record<Exclude<PlanAction, 'migrate'>, string>> = {
  restore: ONLY_READ,
  backup: '',
  undo: say('Nothing is deleted.'),
  rescue: ONLY_READ,
  rescan: say('A rescan only adds payments.'),
  'put-back': say('Nothing is deleted.'),
};

interface RemediesProps {
  draft: Draft;
  plan: Plan;
  /** Whether nothing else can be done. */
  isFirst?: boolean;
  /** For a row among others: see `ActionButton`. */
  describedBy?: string;
  /** Leaves out what would change the connection or the plans of other wallets. */
  onlyRescue?: boolean;
}

/** What else can be done with a wallet that its plan stops, as buttons. */
export function Remedies({ draft, plan, isFirst = false, describedBy, onlyRescue = false }: RemediesProps) {
  const remedies = remediesOf(draft, plan).filter(({ isRescue }) => !onlyRescue || isRescue);
  return remedies.map(({ label, act }, at) => (
    <AskingButton
      key={label}
      variant={isFirst && at === 0 ? 'filled' : 'default'}
      size={isFirst ? 'sm' : 'compact-sm'}
      describedBy={describedBy}
      call={act}
      failed={say('Not connected')}
    >
      {label}
    </AskingButton>
  ));
}

interface Remedy {
  label: string;
  act: () => Promise<void>;
  isRescue?: true;
}

/** What else can be done with a wallet that its plan stops, the best first. */
function remediesOf({ key }: Draft, plan: Plan): Remedy[] {
  const { kind, action, source, checks, facts } = plan;
  const { path, contents } = facts;
  const remedies: Remedy[] = [];
  const add = (label: string, act: () => unknown, kind: Pick<Remedy, 'isRescue'> = {}) =>
    remedies.push({ label, act: async () => void (await act()), ...kind });
  const isStoppedBy = (wanted: Check['id']) =>
    checks.some(({ id, verdict }) => id === wanted && verdict === 'blocker');
  if (plan.elsewhere) add(say('Work without a node'), () => workElsewhere(plan));
  // A node may still load a legacy wallet as it is. A rescue always works on the file, also that of a node's wallet.
  const isFit = kind === 'restore-migrate' || kind === 'migrate' || contents?.kind === 'descriptor';
  if (isFit && path !== null && contents && needsRescue(contents))
    add(say('Rescue'), () => plans.begin([{ action: 'rescue', source: { by: 'file', path } }]), {
      isRescue: true,
    });
  if (isStoppedBy('interrupted') && action !== 'put-back')
    add(say('Put the old wallet back'), () => plans.begin([{ action: 'put-back', source }]));
  // Only the loading needs the blocks that a pruned node lacks.
  if (isStoppedBy('pruned') && questionOf(plan, 'load-afterwards')?.value)
    add(say('Turn off “Load after migration”'), () => plans.answer(key, { loadAfterwards: false }));
  return remedies;
}

/** For a file on the node's machine, the user chooses again. For a wallet of the node, the app uses its file at once. */
async function workElsewhere({ elsewhere, source, facts, node }: Plan): Promise<void> {
  const { path, contents } = facts;
  if (source.by !== 'wallet' || path === null)
    return connectThen(elsewhere === 'another-file' ? { at: 'home' } : { at: 'wallet', source });
  const ofFile = contents?.network.name ?? 'unknown';
  const action = contents && needsRescue(contents) ? 'rescue' : 'restore';
  const network = ofFile === 'unknown' ? node.network : ofFile;
  await beginOffline({ walletsFolder: null, network }, { action, source: { by: 'file', path } });
}
