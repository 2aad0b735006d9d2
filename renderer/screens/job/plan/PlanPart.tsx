/** One plan: how it stands, what the file is, what is to be read, what is asked, and all the rest one click away. */
import { Box, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { isPastedText } from '../../../../shared/model/files.ts';
import { suggestedBackup } from '../../../../shared/model/names/fileNames.ts';
import type { Ask, Plan } from '../../../../shared/model/plan.ts';
import { balanceLine } from '../../../../shared/wording/balanceWords.ts';
import { formatSize } from '../../../../shared/wording/format/formatSize.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import {
  birthWords,
  encryptionWords,
  kindWords,
  networkFound,
  readWords,
} from '../../../../shared/wording/inspectionWords.ts';
import { resultOf, standingOf } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ErrorNotice } from '../../../components/ErrorNotice.tsx';
import { SmallButton } from '../../../components/input/ActionButton.tsx';
import layout from '../../../components/layout.module.css';
import { FactList } from '../../../components/list/FactList.tsx';
import { Panes } from '../../../components/Panes.tsx';
import { SafeText, WalletName } from '../../../components/text/texts.tsx';
import { bridge } from '../../../state/bridge/bridge.ts';
import { type Draft, stopOf } from '../../../state/draft.ts';
import { pickFile } from '../../../state/filePicker.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { useAsking } from '../../../state/useAsking.ts';
import { PathField } from '../PathField.tsx';
import { MovedWallet } from '../result/MovedWallets.tsx';
import { CheckItem, CheckList } from './CheckList.tsx';
import styles from './CheckPage.module.css';
import { OtherWays } from './OtherWays.tsx';
import { PassphraseField } from './PassphraseField.tsx';
import { PlanDetails } from './PlanDetails.tsx';

interface PlanPartProps {
  draft: Draft;
  plan: Plan;
}

export function PlanPart({ draft, plan }: PlanPartProps) {
  // What stops it stands beside the button.
  const standing = stopOf(draft) === null ? standingOf(plan, true) : NOT_READY;
  const result = resultOf(plan);
  const options = plan.asks.filter(({ ask }) => OPTIONAL.has(ask));
  const others = plan.asks.filter(({ ask }) => !OPTIONAL.has(ask));
  return (
    <div className={layout.apart}>
      <div className={`${layout.ends} ${styles.standing}`} data-tone={standing.tone}>
        <div role="status" className={`${layout.line} ${layout.grows}`}>
          <strong>{standing.text}</strong>
          {result && <span>{result}</span>}
        </div>
        <SmallButton variant="subtle" onClick={() => usePlans.getState().lookAgain(draft.key)}>
          {say('Check again')}
        </SmallButton>
      </div>
      <Panes
        first={
          <>
            <CheckList checks={plan.checks} />
            {plan.movedWallets?.map((wallet) => (
              <MovedWallet key={wallet.name} {...wallet} />
            ))}
            <OtherWays plan={plan} />
            {others.length > 0 && (
              <Box maw={560} className={layout.apart}>
                {others.map((ask) => (
                  <AskPart key={ask.ask} ask={ask} draft={draft} plan={plan} />
                ))}
              </Box>
            )}
          </>
        }
        second={
          <>
            <FactList facts={factsOf(plan)} />
            {options.length > 0 && (
              <Disclosure look="boxed" summary={say('Options')}>
                <div className={styles.details}>
                  {options.map((ask) => (
                    <AskPart key={ask.ask} ask={ask} draft={draft} plan={plan} />
                  ))}
                </div>
              </Disclosure>
            )}
            <PlanDetails draft={draft} plan={plan} />
          </>
        }
      />
    </div>
  );
}

/** Asks that few need. */
const OPTIONAL: ReadonlySet<Ask['ask']> = new Set(['load-on-startup', 'load-afterwards', 'rescan-from']);

const NOT_READY = { tone: 'stop', text: say('Not ready yet.') } as const;

function factsOf({ facts, wallet, source, kind, asks }: Plan): ComponentProps<typeof FactList>['facts'] {
  const { file, contents } = facts;
  // A text that was pasted has no more to tell than its keys.
  const told = isPastedText(file) ? null : contents;
  return [
    source.by === 'wallet' && { label: say('Wallet'), value: <WalletName name={wallet} /> },
    file && {
      label: say('File'),
      value: (
        <SafeText
          text={listed([
            file.name,
            !file.temporary && formatSize(file.size),
            !file.temporary && formatTime(file.modified),
          ])}
        />
      ),
    },
    source.by === 'file' && !file && { label: say('File'), value: <SafeText text={source.path} mono /> },
    told && { label: say('Kind'), value: kindWords(told) },
    told && { label: say('Network'), value: networkFound(told.network).name },
    told && { label: say('Encrypted'), value: encryptionWords(told) },
    told && { label: say('Last known balance'), value: balanceLine(told) },
    contents && { label: say('Contents'), value: readWords(contents) ?? say('Nothing readable') },
    contents && { label: say('Created'), value: birthWords(contents.birth).when },
    !contents &&
      kind !== 'backup' &&
      kind !== 'rescan' &&
      !asks.some(({ ask }) => ask === 'logs') && {
        label: say('Contents'),
        value: say('The app cannot read this file.'),
      },
  ];
}

function AskPart({ ask, draft, plan }: PlanPartProps & { ask: Ask }) {
  const { answer } = usePlans.getState();
  const { key, answers } = draft;
  switch (ask.ask) {
    case 'name': {
      const { check } = ask;
      return (
        <>
          <TextInput
            label={say('Wallet name')}
            value={answers.name ?? ask.value}
            onChange={(event) => answer(key, { name: event.currentTarget.value })}
            error={check.verdict === 'blocker' && !draft.looking ? check.title : null}
            errorProps={{ role: 'alert' }}
          />
          {check.verdict === 'warning' && !draft.looking && <CheckItem check={check} />}
        </>
      );
    }
    case 'destination':
      return <Destination ask={ask} draft={draft} plan={plan} />;
    case 'passphrase':
      return <PassphraseField ask={ask} draft={draft} />;
    case 'load-on-startup':
      return (
        <NativeSelect
          label={say('Load it when the node starts')}
          data={STARTUP}
          value={String(ask.value)}
          onChange={({ currentTarget: { value } }) =>
            answer(key, { loadOnStartup: value === 'null' ? null : value === 'true' })
          }
        />
      );
    case 'load-afterwards':
      return (
        <Checkbox
          label={say('Load after migration')}
          description={say('If off, load it yourself later.')}
          checked={answers.loadAfterwards ?? ask.value}
          onChange={(event) => answer(key, { loadAfterwards: event.currentTarget.checked })}
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
          onChange={(event) => answer(key, { [by]: event.currentTarget.checked })}
        />
      );
    }
    case 'wallets-folder':
      return <WalletsFolder ask={ask} draft={draft} plan={plan} />;
    case 'rescan-from':
      return <RescanFrom ask={ask} draft={draft} plan={plan} />;
    case 'logs':
      return <Logs ask={ask} draft={draft} plan={plan} />;
  }
}

/** A node that does not tell where its wallets are: the folder is chosen, and tried before it is used. */
function WalletsFolder({ ask, draft }: PlanPartProps & { ask: Extract<Ask, { ask: 'wallets-folder' }> }) {
  const { busy, error, ask: tell } = useAsking();
  async function choose() {
    const path = await pickFile({ purpose: 'wallets-folder' });
    if (path === null) return;
    await tell(async () => {
      await bridge.call('nodes.useWalletsFolder', { path });
      usePlans.getState().lookAgain(draft.key);
    });
  }
  return (
    <>
      <CheckItem check={ask.check} />
      <div className={layout.row}>
        <SmallButton busy={busy} onClick={() => void choose()}>
          {say('Choose the folder…')}
        </SmallButton>
      </div>
      {error && <ErrorNotice error={error} />}
    </>
  );
}

/** A rescan begins at the first block of all, or at a day that the user knows. */
function RescanFrom({ ask, draft }: PlanPartProps & { ask: Extract<Ask, { ask: 'rescan-from' }> }) {
  const { rescanFrom } = draft.answers;
  const day =
    rescanFrom?.by === 'time'
      ? new Date(rescanFrom.time * 1000).toISOString().slice(0, 'YYYY-MM-DD'.length)
      : '';
  return (
    <TextInput
      type="date"
      label={say('Only payments since')}
      description={say('Empty: all payments. A later day is faster.')}
      value={day}
      onChange={({ currentTarget: { value } }) =>
        usePlans.getState().answer(draft.key, {
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
    label: say('I have a copy of this wallet file.'),
    description: say('The app cannot make one here.'),
  },
  'bitcoin-keys': { by: 'bitcoinKeys', label: say('Its keys are Bitcoin’s.') },
  'read-loss': { by: 'lossRead', label: say('I have read what the rehearsal found. Try anyway.') },
} as const;

const STARTUP = [
  { value: 'null', label: say('As set in the node') },
  { value: 'true', label: say('Yes') },
  { value: 'false', label: say('No') },
];

function Logs({ ask, draft: { key, answers } }: PlanPartProps & { ask: Extract<Ask, { ask: 'logs' }> }) {
  const { answer } = usePlans.getState();
  return (
    <>
      <CheckItem check={ask.check} />
      <PathField
        label={say('Folder of its log')}
        value={answers.logs ?? ask.value}
        disabled={answers.logs === null}
        asks={{ purpose: 'backups-folder' }}
        onPath={(logs) => answer(key, { logs })}
      />
      {ask.check.verdict !== 'fine' && (
        <Checkbox
          label={say('Rescue without the log.')}
          checked={answers.logs === null}
          onChange={(event) => answer(key, { logs: event.currentTarget.checked ? null : '' })}
        />
      )}
    </>
  );
}

function Destination({ ask, draft, plan }: PlanPartProps & { ask: Extract<Ask, { ask: 'destination' }> }) {
  const { answer } = usePlans.getState();
  const { key, answers } = draft;
  const isAnswered = ask.value !== '';
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
      onPath={(destination) => answer(key, { destination })}
    />
  );
}
