/** The wallet's passphrase, tried on the file as soon as it is typed. It lives in the field alone. */
import { Checkbox } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Ask } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CancelTask } from '../../../components/CancelTask.tsx';
import { SmallButton } from '../../../components/input/ActionButton.tsx';
import { PassphraseInput } from '../../../components/input/SecretInput.tsx';
import layout from '../../../components/layout.module.css';
import { Quiet } from '../../../components/text/texts.tsx';
import type { Draft } from '../../../state/draft.ts';
import { passphraseFields } from '../../../state/passphraseFields.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { CheckItem } from './CheckList.tsx';
import { LongTry } from './LongTry.tsx';

interface PassphraseFieldProps {
  ask: Extract<Ask, { ask: 'passphrase' }>;
  draft: Draft;
  /** Of several: whose it is, for screen readers. */
  wallet?: string;
}

export function PassphraseField({ ask, draft, wallet }: PassphraseFieldProps) {
  const { key, tried } = draft;
  const { tryPassphrase, typedAnew } = usePlans.getState();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isLong = ask.secondsPerTry !== null;
  useEffect(() => () => clearTimeout(timer.current), []);
  const tryIt = () => void tryPassphrase(key);

  function typed(value: string) {
    clearTimeout(timer.current);
    typedAnew(key, value !== '');
    if (value === '' || isLong) return;
    // What is in the field by then, which nothing else holds meanwhile.
    timer.current = setTimeout(tryIt, TYPING_MS);
  }

  if (ask.openOnly?.value) return <OpenOnly ask={ask} draft={draft} />;
  const wrong = tried.state === 'known' && tried.check.verdict === 'blocker' ? tried.check : null;
  return (
    <div className={layout.stack}>
      <PassphraseInput
        ref={(element: HTMLInputElement | null) => {
          if (element) passphraseFields.set(key, element);
          else passphraseFields.delete(key);
        }}
        description={
          ask.needed
            ? draft.plan?.node.offline
              ? say('Stays on this computer; not kept.')
              : say('For the node only; not kept.')
            : draft.action === 'rescue'
              ? say('Without it, the app may save less.')
              : say('Leave empty if not encrypted.')
        }
        {...(wallet === undefined
          ? {}
          : { 'aria-label': say('Passphrase of {wallet}', { wallet: walletLabel(wallet) }) })}
        onInput={(event) => typed(event.currentTarget.value)}
        error={wrong && <CheckItem check={wrong} bare />}
      />
      <div role="status" className={layout.row}>
        {tried.state === 'trying' && <Quiet small>{say('Trying the passphrase…')}</Quiet>}
        {tried.state === 'known' && wrong === null && <CheckItem check={tried.check} bare />}
        {tried.state === 'failed' && <Quiet small>{tried.error.message}</Quiet>}
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
