/** The questions of a plan, each with its field. For the passphrase see `PassphraseQuestionField`. */
import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { suggestBackupName } from '../../../../shared/model/names/walletName.ts';
import type { Question } from '../../../../shared/model/plan.ts';
import { quotedWallet } from '../../../../shared/wording/format/names.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton, AskingButton } from '../../../components/buttons.tsx';
import { PathField } from '../../../components/fields.tsx';
import { currentPlan, type Draft } from '../../../state/draftsStore.ts';
import { chooseWalletsFolder } from '../../../state/filePicker.ts';
import { plans } from '../../../state/plansStore.ts';
import { CheckItem } from './CheckList.tsx';

interface QuestionFieldProps<Kind extends Question['ask'] = Question['ask']> {
  question: Extract<Question, { ask: Kind }>;
  draft: Draft;
  /** Further buttons, after those of a name. */
  buttons?: ReactNode;
}

export function QuestionField({ question, draft, buttons = null }: QuestionFieldProps) {
  const { key, answers } = draft;
  switch (question.ask) {
    case 'name': {
      const { check, free } = question;
      return (
        <>
          <TextInput
            label={say('Wallet name')}
            value={answers.name ?? question.value}
            onChange={(event) => plans.answer(key, { name: event.currentTarget.value })}
            error={check.verdict === 'blocker' && !draft.isPlanning ? check.title : null}
            errorProps={{ role: 'alert' }}
          />
          <Group gap={8} mt={8}>
            {free !== undefined && !draft.isPlanning && (
              <ActionButton onClick={() => plans.answer(key, { name: free })}>
                {say('Use the name {wallet}', { wallet: quotedWallet(free) })}
              </ActionButton>
            )}
            {buttons}
          </Group>
          {check.verdict === 'warning' && !draft.isPlanning && <CheckItem check={check} />}
        </>
      );
    }
    case 'destination':
      return <Destination question={question} draft={draft} />;
    case 'passphrase':
      return null;
    case 'load-on-startup':
      return (
        <NativeSelect
          label={say('Load at node start')}
          data={STARTUP}
          value={String(question.value)}
          onChange={({ currentTarget: { value } }) =>
            plans.answer(key, { loadOnStartup: value === 'null' ? null : value === 'true' })
          }
        />
      );
    case 'load-afterwards':
    case 'own-copy':
    case 'bitcoin-keys':
    case 'closed-elsewhere':
    case 'read-loss': {
      const { by, ...texts } = CONFIRMED[question.ask];
      return (
        <Checkbox
          {...texts}
          checked={answers[by] ?? (by === 'loadAfterwards' && question.value)}
          onChange={(event) => plans.answer(key, { [by]: event.currentTarget.checked })}
        />
      );
    }
    case 'wallets-folder':
      return <WalletsFolder question={question} draft={draft} />;
    case 'rescan-from':
      return <RescanFrom question={question} draft={draft} />;
    case 'logs':
      return <Logs question={question} draft={draft} />;
  }
}

/** The folder of a node that does not say where its wallets are. It is checked before it is used. */
function WalletsFolder({ question, draft }: QuestionFieldProps<'wallets-folder'>) {
  async function choose() {
    if (await chooseWalletsFolder()) plans.planAgain(draft.key);
  }
  return (
    <>
      <CheckItem check={question.check} />
      <AskingButton variant="filled" size="sm" call={choose}>
        {say('Choose the folder…')}
      </AskingButton>
    </>
  );
}

/** A rescan begins at the first block of all, or at a day that the user knows. */
function RescanFrom({ question, draft }: QuestionFieldProps<'rescan-from'>) {
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
      error={question.check.verdict === 'blocker' && !draft.isPlanning ? question.check.title : null}
      errorProps={{ role: 'alert' }}
    />
  );
}

/** What the user confirms or chooses, and by which answer. */
const CONFIRMED = {
  'load-afterwards': {
    by: 'loadAfterwards',
    label: say('Load after migration'),
    description: say('You can also load it later.'),
  },
  'own-copy': {
    by: 'hasOwnCopy',
    label: say('I have a copy.'),
    description: say('The app cannot make one here.'),
  },
  'bitcoin-keys': { by: 'bitcoinKeys', label: say('Its keys are Bitcoin’s.') },
  'closed-elsewhere': {
    by: 'isClosed',
    label: say('Not open in another program'),
    description: say('The app cannot see this here.'),
  },
  'read-loss': { by: 'lossRead', label: say('I have read what the rehearsal found.') },
} as const;

const STARTUP = [
  { value: 'null', label: say('Leave unchanged') },
  { value: 'true', label: say('Yes') },
  { value: 'false', label: say('No') },
];

function Logs({ question, draft: { key, answers } }: QuestionFieldProps<'logs'>) {
  return (
    <>
      <CheckItem check={question.check} />
      <PathField
        label={say('Its log folder')}
        value={answers.logs ?? question.value}
        disabled={answers.logs === null}
        asks={{ purpose: 'backups-folder' }}
        onPath={(logs) => plans.answer(key, { logs })}
      />
      {question.check.verdict !== 'fine' && (
        <Checkbox
          label={say('Continue without the log.')}
          checked={answers.logs === null}
          onChange={(event) => plans.answer(key, { logs: event.currentTarget.checked ? null : '' })}
        />
      )}
    </>
  );
}

function Destination({ question, draft }: QuestionFieldProps<'destination'>) {
  const { key, answers } = draft;
  const plan = currentPlan(draft);
  const isAnswered = question.value !== '';
  if (plan === null) return null;
  const suggestedName = suggestBackupName(plan.wallet, new Date());
  return (
    <PathField
      label={say('New backup')}
      description={plan.node.local ? say('Another disk is best.') : say('Full path on the node’s machine.')}
      value={answers.destination ?? question.value}
      error={
        isAnswered &&
        !draft.isPlanning &&
        question.check.verdict === 'blocker' && <CheckItem check={question.check} bare />
      }
      asks={plan.node.local ? { purpose: 'save-backup', suggestedName } : null}
      onPath={(destination) => plans.answer(key, { destination })}
    />
  );
}
