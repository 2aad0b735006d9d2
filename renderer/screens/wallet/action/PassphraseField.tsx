/** The field for a passphrase, which is tried on the wallet’s file. Nothing but the field holds it. */
import { Checkbox, Group } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { applyVariant, type PassphraseVariant } from '../../../../shared/model/passphraseVariants.ts';
import type { Question, WalletSource } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/formatNumber.ts';
import { walletLabel } from '../../../../shared/wording/format/names.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CancelTask, SmallButton } from '../../../components/buttons.tsx';
import { Form, LongTry, PassphraseInput, takeSecret, typeInto } from '../../../components/fields.tsx';
import { isShortWindow, Section } from '../../../components/parts.tsx';
import { useTasks } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import {
  type Draft,
  isQuickToTry,
  passphraseFields,
  type Tried,
  triedState,
  wrongPassphrase,
} from '../../../state/draftsStore.ts';
import { plans } from '../../../state/plansStore.ts';
import { CheckItem } from './CheckList.tsx';
import { NearlyRemembered } from './Searches.tsx';

interface PassphraseFieldProps {
  field: RefObject<HTMLInputElement | null>;
  /** Names the wallet where the page has several fields. */
  label?: string | undefined;
  description: string;
  typed: boolean;
  tried: Tried;
  /** Null for a quick try, which is made as soon as the passphrase is typed. */
  secondsPerTry: number | null;
  onTyped: (isFilled: boolean) => void;
  onTry: () => void;
  /** Of a rescue: also repairs the record of a wrong passphrase. */
  onTryThoroughly?: (() => void) | undefined;
  button?: ReactNode;
  children?: ReactNode;
}

function PassphraseField(props: PassphraseFieldProps) {
  const { field, label, description, typed, tried, secondsPerTry, onTyped, button, children } = props;
  const { onTry, onTryThoroughly } = props;
  const cancel = () => onTyped(typed);
  const isLong = secondsPerTry !== null;
  const statusId = useId();
  const status = useRef<HTMLDivElement>(null);
  const trySoon = useDebouncedCallback(onTry, TYPING_MS);
  const check = tried.state === 'known' ? tried.check : null;
  const wrong = wrongPassphrase({ tried });
  const variant = check?.variant;
  // In a short window it is below the edge.
  useEffect(() => {
    const hasFocus = document.activeElement === field.current;
    if (wrong !== null && hasFocus) status.current?.scrollIntoView({ block: 'nearest' });
  }, [wrong, field]);
  useEffect(() => {
    const element = field.current;
    return () => void takeSecret(element);
  }, [field]);

  /** Replaces the typed text with the variant that works, for example without spaces at the ends. */
  function use(right: PassphraseVariant) {
    typeInto(field.current, applyVariant(right, field.current?.value ?? ''));
    if (isLong) onTry();
  }

  return (
    <div className="stack">
      <Group align="end" gap={8}>
        <PassphraseInput
          className="grows"
          maw={340}
          ref={field}
          description={description}
          {...(label !== undefined && { 'aria-label': label })}
          onInput={({ currentTarget: { value } }) => {
            onTyped(value !== '');
            if (value === '' || isLong) trySoon.cancel();
            else trySoon();
          }}
          error={wrong !== null}
          aria-describedby={statusId}
        />
        {button}
        <Group
          ref={status}
          id={statusId}
          role={wrong ? 'alert' : 'status'}
          gap={4}
          mih={36}
          fz="sm"
          c="var(--tone-text, var(--mantine-color-dimmed))"
          data-tone={wrong ? 'danger' : check?.verdict === 'fine' ? 'good' : undefined}
        >
          {check?.verdict === 'fine' && <IconCheck size={16} aria-hidden />}
          {check && <CheckItem check={check} bare />}
          {variant && <SmallButton onClick={() => use(variant)}>{say('Use it')}</SmallButton>}
          {wrong && !variant && onTryThoroughly && (
            <SmallButton onClick={onTryThoroughly}>{say('Repair the record')}</SmallButton>
          )}
          {tried.state === 'trying' && say('Trying the passphrase…')}
          {tried.state === 'trying' && !isLong && <CancelTask label={say('Cancel')} onCancel={cancel} />}
          {tried.state === 'failed' && `${tried.error.message} ${tried.error.hint}`}
        </Group>
      </Group>
      {children}
      {isLong && (
        <div className="row">
          <LongTry seconds={secondsPerTry} />
          <SmallButton busy={tried.state === 'trying'} blocked={!typed} onClick={onTry}>
            {say('Try this passphrase')}
          </SmallButton>
          {tried.state === 'trying' && <CancelTask label={say('Cancel')} onCancel={cancel} />}
        </div>
      )}
    </div>
  );
}

/** Milliseconds without typing before a passphrase is tried. */
const TYPING_MS = 400;

interface DraftsPassphraseProps
  extends Pick<PassphraseFieldProps, 'label' | 'description' | 'secondsPerTry' | 'button' | 'children'> {
  /** The wallets that it is for: it is tried on each. */
  drafts: readonly Draft[];
  takesFocus?: boolean;
}

/** The passphrase of one wallet, or of several that may have the same. */
export function DraftsPassphrase({ drafts, takesFocus = false, ...look }: DraftsPassphraseProps) {
  const field = useRef<HTMLInputElement>(null);

  // A wallet may come later, when its plan is made.
  useEffect(() => {
    const element = field.current;
    if (element === null) return;
    for (const draft of drafts) {
      const { key } = draft;
      if (passphraseFields.get(key) === element) continue;
      passphraseFields.set(key, element);
      if (element.value === '') continue;
      plans.passphraseChanged(key, true);
      if (look.secondsPerTry === null && isQuickToTry(draft)) void plans.tryPassphrase(key);
    }
  });
  useEffect(() => {
    const element = field.current;
    return () => {
      // A field that is gone has nothing typed in it.
      for (const [key, one] of passphraseFields) {
        if (one !== element) continue;
        passphraseFields.delete(key);
        plans.passphraseChanged(key, false);
      }
    };
  }, []);
  useEffect(() => {
    const focused = document.activeElement;
    // Never takes the focus from a control in use.
    const isFree = focused === null || focused.matches('body, h1');
    if (takesFocus && isFree) field.current?.focus({ preventScroll: !isShortWindow() });
  }, [takesFocus]);
  const isRescue = drafts.every(({ action, plan }) => action === 'rescue' && plan !== null);
  return (
    <PassphraseField
      {...look}
      field={field}
      typed={drafts.some(({ typed }) => typed)}
      tried={triedOn(drafts)}
      onTyped={(isFilled) => {
        for (const { key } of drafts) plans.passphraseChanged(key, isFilled);
      }}
      onTry={() => {
        // In a batch, a wallet with a long try has a button of its own.
        const isAsked = look.secondsPerTry !== null;
        for (const draft of drafts) if (isAsked || isQuickToTry(draft)) void plans.tryPassphrase(draft.key);
      }}
      onTryThoroughly={
        isRescue ? () => drafts.forEach(({ key }) => void plans.tryPassphrase(key, true)) : undefined
      }
    />
  );
}

/** The result of the try, if it is the same for every wallet. */
function triedOn(drafts: readonly Draft[]): Tried {
  const [first, ...others] = drafts.map(({ tried }) => tried);
  if (first === undefined) return { state: 'none' };
  const verdictOf = (tried: Tried) => (tried.state === 'known' ? tried.check.verdict : tried.state);
  if (others.some((one) => verdictOf(one) !== verdictOf(first))) return { state: 'none' };
  return [first, ...others].find((one) => one.state === 'known' && one.check.variant) ?? first;
}

interface PassphraseQuestionProps {
  question: Extract<Question, { ask: 'passphrase' }>;
  draft: Draft;
  /** In a batch: the wallet that it is for. */
  wallet?: string;
  /** The button of the card, next to the field. The field then takes the focus. */
  button?: ReactNode;
}

/** The question of a plan for the passphrase of its wallet. */
export function PassphraseQuestionField({ question, draft, wallet, button }: PassphraseQuestionProps) {
  const { openOnly, needed, secondsPerTry } = question;
  const { key, action } = draft;
  // Keys that need a passphrase do not hold up those that need none.
  const withoutIt = openOnly && (
    <Checkbox
      label={say('Without the passphrase: save only {keys}.', { keys: counted.privateKeys(openOnly.keys) })}
      checked={openOnly.value}
      onChange={(event) => plans.answer(key, { openOnly: event.currentTarget.checked })}
    />
  );
  if (openOnly?.value) {
    return (
      <div className="stack">
        {withoutIt}
        <div className="row">{button}</div>
      </div>
    );
  }
  const without =
    action === 'rescue' ? say('Without it, less may be saved.') : say('Empty if not encrypted.');
  return (
    <DraftsPassphrase
      drafts={[draft]}
      label={
        wallet === undefined ? undefined : say('Passphrase of {wallet}', { wallet: walletLabel(wallet) })
      }
      description={needed ? say('Never stored.') : without}
      secondsPerTry={secondsPerTry}
      button={button}
      takesFocus={button !== undefined && (needed || action === 'rescue')}
    >
      {withoutIt}
    </DraftsPassphrase>
  );
}

interface TryPassphraseProps {
  source: WalletSource;
  secondsPerTry: number | null;
}

/** Tries a passphrase on a file for which there is no plan that needs it. */
export function TryPassphrase({ source, secondsPerTry }: TryPassphraseProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(false);
  const [tried, setTried] = useState<Tried>({ state: 'none' });
  const tasks = useTasks();

  async function tryIt() {
    const passphrase = field.current?.value;
    if (!passphrase || tried.state === 'trying') return;
    setTried({ state: 'trying' });
    const result = await tasks.run('try', (task) =>
      bridge.call('wallet.tryPassphrase', { source, passphrase, task }),
    );
    if (result === null) return;
    const known = triedState(result);
    // A right one is not needed any more.
    if (known.state === 'known' && known.check.verdict === 'fine') takeSecret(field.current);
    setTried(known);
  }

  return (
    <Section title={say('Try the passphrase')}>
      <Form className="card" onSubmit={tryIt} aria-label={say('Try the passphrase')}>
        <PassphraseField
          field={field}
          description={say('Never stored.')}
          typed={typed}
          tried={tried}
          secondsPerTry={secondsPerTry}
          onTyped={(isFilled) => {
            tasks.cancelAll();
            setTyped(isFilled);
            setTried({ state: 'none' });
          }}
          onTry={() => void tryIt()}
        />
      </Form>
      <NearlyRemembered source={source} onFound={(passphrase) => typeInto(field.current, passphrase)} />
    </Section>
  );
}
