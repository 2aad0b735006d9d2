/** The questions of a plan, each with its field. Nothing but its field holds the passphrase. */
import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { suggestedBackup } from '../../../../shared/model/names/walletName.ts';
import type { Ask } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/formatNumber.ts';
import { quotedWallet, walletLabel } from '../../../../shared/wording/format/names.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../../components/buttons.tsx';
import { LongTry, PassphraseInput, PathField, UseVariant } from '../../../components/fields.tsx';
import layout from '../../../components/layout.module.css';
import { AskingButton, CancelTask } from '../../../components/progress.tsx';
import { bridge } from '../../../state/bridge.ts';
import { type Draft, passphraseFields, seenPlan, wrongPassphrase } from '../../../state/draftsStore.ts';
import { pickFile } from '../../../state/filePicker.ts';
import { plans } from '../../../state/plansStore.ts';
import { CheckItem } from './CheckList.tsx';

interface AskFieldProps<Kind extends Ask['ask'] = Ask['ask']> {
  ask: Extract<Ask, { ask: Kind }>;
  draft: Draft;
  /** Further buttons, after those of a name. */
  buttons?: ReactNode;
}

export function AskField({ ask, draft, buttons = null }: AskFieldProps) {
  const { key, answers } = draft;
  switch (ask.ask) {
    case 'name': {
      const { check, free } = ask;
      return (
        <>
          <TextInput
            label={say('Wallet name')}
            value={answers.name ?? ask.value}
            onChange={(event) => plans.answer(key, { name: event.currentTarget.value })}
            error={check.verdict === 'blocker' && !draft.looking ? check.title : null}
            errorProps={{ role: 'alert' }}
          />
          <Group gap={8} mt={8}>
            {free !== undefined && !draft.looking && (
              <ActionButton onClick={() => plans.answer(key, { name: free })}>
                {say('Use the name {wallet}', { wallet: quotedWallet(free) })}
              </ActionButton>
            )}
            {buttons}
          </Group>
          {check.verdict === 'warning' && !draft.looking && <CheckItem check={check} />}
        </>
      );
    }
    case 'destination':
      return <Destination ask={ask} draft={draft} />;
    case 'passphrase':
      return null;
    case 'load-on-startup':
      return (
        <NativeSelect
          label={say('Load at node start')}
          data={STARTUP}
          value={String(ask.value)}
          onChange={({ currentTarget: { value } }) =>
            plans.answer(key, { loadOnStartup: value === 'null' ? null : value === 'true' })
          }
        />
      );
    case 'load-afterwards':
      return (
        <Checkbox
          label={say('Load after migration')}
          description={say('You can also load it later.')}
          checked={answers.loadAfterwards ?? ask.value}
          onChange={(event) => plans.answer(key, { loadAfterwards: event.currentTarget.checked })}
        />
      );
    case 'own-copy':
    case 'bitcoin-keys':
    case 'read-loss': {
      const { by, ...texts } = CONFIRMED[ask.ask];
      return (
        <Checkbox
          {...texts}
          checked={answers[by] === true}
          onChange={(event) => plans.answer(key, { [by]: event.currentTarget.checked })}
        />
      );
    }
    case 'wallets-folder':
      return <WalletsFolder ask={ask} draft={draft} />;
    case 'rescan-from':
      return <RescanFrom ask={ask} draft={draft} />;
    case 'logs':
      return <Logs ask={ask} draft={draft} />;
  }
}

/** The folder of a node that does not say where its wallets are. It is checked before it is used. */
function WalletsFolder({ ask, draft }: AskFieldProps<'wallets-folder'>) {
  async function choose() {
    const path = await pickFile({ purpose: 'wallets-folder' });
    if (path === null) return;
    await bridge.call('nodes.useWalletsFolder', { path });
    plans.lookAgain(draft.key);
  }
  return (
    <>
      <CheckItem check={ask.check} />
      <AskingButton variant="filled" size="sm" call={choose}>
        {say('Choose the folder…')}
      </AskingButton>
    </>
  );
}

/** A rescan begins at the first block of all, or at a day that the user knows. */
function RescanFrom({ ask, draft }: AskFieldProps<'rescan-from'>) {
  const { rescanFrom } = draft.answers;
  const day =
    rescanFrom?.by === 'time'
      ? new Date(rescanFrom.time * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length)
      : '';
  return (
    <TextInput
      type="date"
      label={say('Only payments since')}
      description={say('Empty: all payments. A later date is faster.')}
      value={day}
      onChange={({ currentTarget: { value } }) =>
        plans.answer(draft.key, {
          rescanFrom: value === '' ? undefined : { by: 'time', time: Date.parse(value) / 1000 },
        })
      }
      error={ask.check.verdict === 'blocker' && !draft.looking ? ask.check.title : null}
      errorProps={{ role: 'alert' }}
    />
  );
}

/** What the user confirms, and by which answer. */
const CONFIRMED = {
  'own-copy': {
    by: 'hasOwnCopy',
    label: say('I have a copy.'),
    description: say('The app cannot make one here.'),
  },
  'bitcoin-keys': { by: 'bitcoinKeys', label: say('Its keys are Bitcoin’s.') },
  'read-loss': { by: 'lossRead', label: say('I read what the rehearsal found.') },
} as const;

const STARTUP = [
  { value: 'null', label: say('As the node decides') },
  { value: 'true', label: say('Yes') },
  { value: 'false', label: say('No') },
];

function Logs({ ask, draft: { key, answers } }: AskFieldProps<'logs'>) {
  return (
    <>
      <CheckItem check={ask.check} />
      <PathField
        label={say('Folder of its log')}
        value={answers.logs ?? ask.value}
        disabled={answers.logs === null}
        asks={{ purpose: 'backups-folder' }}
        onPath={(logs) => plans.answer(key, { logs })}
      />
      {ask.check.verdict !== 'fine' && (
        <Checkbox
          label={say('Go on without the log.')}
          checked={answers.logs === null}
          onChange={(event) => plans.answer(key, { logs: event.currentTarget.checked ? null : '' })}
        />
      )}
    </>
  );
}

function Destination({ ask, draft }: AskFieldProps<'destination'>) {
  const { key, answers } = draft;
  const plan = seenPlan(draft);
  const isAnswered = ask.value !== '';
  if (plan === null) return null;
  const suggestedName = suggestedBackup(plan.wallet, new Date());
  return (
    <PathField
      label={say('New backup')}
      description={plan.node.local ? say('Best on another disk.') : say('Full path on the node’s machine.')}
      value={answers.destination ?? ask.value}
      error={
        isAnswered &&
        !draft.looking &&
        ask.check.verdict === 'blocker' && <CheckItem check={ask.check} bare />
      }
      asks={plan.node.local ? { purpose: 'save-backup', suggestedName } : null}
      onPath={(destination) => plans.answer(key, { destination })}
    />
  );
}

interface PassphraseFieldProps {
  ask: Extract<Ask, { ask: 'passphrase' }>;
  draft: Draft;
  /** In a batch: the wallet that it is for. */
  wallet?: string;
  /** The button of the card, next to the field. The field then takes the focus. */
  button?: ReactNode;
}

/** The passphrase of a wallet, tried on its file as soon as it is typed. Nothing but the field holds it. */
export function PassphraseField({ ask, draft, wallet, button }: PassphraseFieldProps) {
  const { key, tried } = draft;
  const isLong = ask.secondsPerTry !== null;
  const statusId = useId();
  const takesFocus = button !== undefined && ask.needed;
  useEffect(() => {
    const focused = document.activeElement;
    // Never takes the focus from a control in use.
    const isFree = focused === null || focused.matches('body, h1');
    if (takesFocus && isFree) passphraseFields.get(key)?.focus({ preventScroll: true });
  }, [key, takesFocus]);
  // A field that is gone has nothing typed in it.
  useEffect(() => () => plans.typedAnew(key, false), [key]);
  const wrong = wrongPassphrase(draft);
  const status = useRef<HTMLDivElement>(null);
  // In a low window it is below the edge.
  useEffect(() => {
    if (wrong !== null && wallet === undefined) status.current?.scrollIntoView({ block: 'nearest' });
  }, [wrong, wallet]);
  const tryIt = () => void plans.tryPassphrase(key);
  const trySoon = useDebouncedCallback(tryIt, TYPING_MS);

  function typed(value: string) {
    plans.typedAnew(key, value !== '');
    if (value === '' || isLong) trySoon.cancel();
    else trySoon();
  }

  if (ask.openOnly?.value) {
    return (
      <div className={layout.stack}>
        <OpenOnly ask={ask} draft={draft} />
        <div className={layout.row}>{button}</div>
      </div>
    );
  }
  const isRight = tried.state === 'known' && wrong === null;
  return (
    <div className={layout.stack}>
      <Group align="end" gap={8}>
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
          ref={status}
          id={statusId}
          role={wrong ? 'alert' : 'status'}
          gap={4}
          mih={36}
          fz="sm"
          c="var(--tone-text, var(--mantine-color-dimmed))"
          data-tone={wrong ? 'danger' : isRight ? 'good' : undefined}
        >
          {wrong && <CheckItem check={wrong} bare />}
          <UseVariant variant={wrong?.variant} field={() => passphraseFields.get(key)} />
          {tried.state === 'trying' && say('Trying the passphrase…')}
          {isRight && (
            <>
              <IconCheck size={16} aria-hidden /> <CheckItem check={tried.check} bare />
            </>
          )}
          {tried.state === 'failed' && tried.error.message}
        </Group>
      </Group>
      <OpenOnly ask={ask} draft={draft} />
      {isLong && ask.canBeTried && (
        <div className={layout.row}>
          <LongTry seconds={ask.secondsPerTry} />
          <SmallButton busy={tried.state === 'trying'} blocked={!draft.typed} onClick={tryIt}>
            {say('Try this passphrase')}
          </SmallButton>
          {tried.state === 'trying' && (
            <CancelTask label={say('Cancel')} onCancel={() => plans.typedAnew(key, draft.typed)} />
          )}
        </div>
      )}
    </div>
  );
}

function describe(ask: PassphraseFieldProps['ask'], { action }: Draft): string {
  if (action === 'rescue' && !ask.needed) return say('Without it, less may be saved.');
  if (!ask.needed) return say('Empty if not encrypted.');
  return say('Never stored.');
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
      onChange={(event) => plans.answer(key, { openOnly: event.currentTarget.checked })}
    />
  );
}

/** Milliseconds without typing before a passphrase is tried. */
export const TYPING_MS = 400;
