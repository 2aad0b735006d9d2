/** The passphrase of a wallet, tried on its file as soon as it is typed. Nothing but the field holds it. */
import { Checkbox, Group } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Ask } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import { LongTry, PassphraseInput } from '../../../components/fields.tsx';
import layout from '../../../components/layout.module.css';
import { CancelTask } from '../../../components/progress.tsx';
import type { Draft } from '../../../state/draft.ts';
import { passphraseFields } from '../../../state/draft.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { CheckItem } from './CheckList.tsx';

interface PassphraseFieldProps {
  ask: Extract<Ask, { ask: 'passphrase' }>;
  draft: Draft;
  /** In a batch: the wallet that it is for. */
  wallet?: string;
  /** The button of the card, next to the field. The field then takes the focus. */
  button?: ReactNode;
}

export function PassphraseField({ ask, draft, wallet, button }: PassphraseFieldProps) {
  const { key, tried } = draft;
  const { tryPassphrase, typedAnew } = usePlans.getState();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isLong = ask.secondsPerTry !== null;
  useEffect(() => () => clearTimeout(timer.current), []);
  const statusId = useId();
  const takesFocus = button !== undefined && ask.needed;
  useEffect(() => {
    const focused = document.activeElement;
    // Never takes the focus from something that the user is at.
    const isFree = focused === null || focused.matches('body, h1');
    if (takesFocus && isFree) passphraseFields.get(key)?.focus({ preventScroll: true });
  }, [key, takesFocus]);
  // A field that is gone has nothing typed in it.
  useEffect(() => () => typedAnew(key, false), [key, typedAnew]);
  const tryIt = () => void tryPassphrase(key);

  function typed(value: string) {
    clearTimeout(timer.current);
    typedAnew(key, value !== '');
    if (value === '' || isLong) return;
    timer.current = setTimeout(tryIt, TYPING_MS);
  }

  if (ask.openOnly?.value) {
    return (
      <div className={layout.stack}>
        <OpenOnly ask={ask} draft={draft} />
        <div className={layout.row}>{button}</div>
      </div>
    );
  }
  const wrong = tried.state === 'known' && tried.check.verdict === 'blocker' ? tried.check : null;
  const isRight = tried.state === 'known' && wrong === null;
  return (
    <div className={layout.stack}>
      <div className={`${layout.row} ${layout.low}`}>
        <PassphraseInput
          className={layout.grows}
          maw={340}
          ref={(element: HTMLInputElement | null) => {
            if (element) passphraseFields.set(key, element);
            else passphraseFields.delete(key);
          }}
          description={describe(ask, draft)}
          {...(wallet === undefined
            ? {}
            : { 'aria-label': say('Passphrase of {wallet}', { wallet: walletLabel(wallet) }) })}
          onInput={(event) => typed(event.currentTarget.value)}
          error={wrong !== null}
          aria-describedby={statusId}
        />
        {button}
        <Group
          id={statusId}
          role={wrong ? 'alert' : 'status'}
          gap={4}
          mih={36}
          fz="sm"
          c="var(--tone-text, var(--mantine-color-dimmed))"
          data-tone={wrong ? 'danger' : isRight ? 'good' : undefined}
        >
          {wrong && <CheckItem check={wrong} bare />}
          {tried.state === 'trying' && say('Trying the passphrase…')}
          {isRight && (
            <>
              <IconCheck size={16} aria-hidden /> <CheckItem check={tried.check} bare />
            </>
          )}
          {tried.state === 'failed' && tried.error.message}
        </Group>
      </div>
      <OpenOnly ask={ask} draft={draft} />
      {isLong && ask.canBeTried && (
        <div className={layout.row}>
          <LongTry seconds={ask.secondsPerTry} />
          <SmallButton busy={tried.state === 'trying'} blocked={!draft.typed} onClick={tryIt}>
            {say('Try this passphrase')}
          </SmallButton>
          {tried.state === 'trying' && (
            <CancelTask label={say('Cancel')} onCancel={() => typedAnew(key, draft.typed)} />
          )}
        </div>
      )}
    </div>
  );
}

function describe(ask: PassphraseFieldProps['ask'], { plan, action }: Draft): string {
  if (action === 'rescue' && !ask.needed) return say('Without it, the app may save less.');
  if (!ask.needed) return say('Leave empty if not encrypted.');
  return plan?.node.offline === false
    ? say('For the node only; not kept.')
    : say('It unlocks the wallet for this step. It is not kept.');
}

/** Keys that need a passphrase do not hold up those that need none. */
function OpenOnly({ ask: { openOnly }, draft: { key } }: Pick<PassphraseFieldProps, 'ask' | 'draft'>) {
  if (!openOnly) return null;
  const label = say('Without the passphrase: save only {keys}.', {
    keys: counted.privateKeys(openOnly.keys),
  });
  return (
    <Checkbox
      label={label}
      checked={openOnly.value}
      onChange={(event) => usePlans.getState().answer(key, { openOnly: event.currentTarget.checked })}
    />
  );
}

/** Milliseconds that nothing is typed for before it is tried. */
const TYPING_MS = 400;
