/** Several wallets to migrate: a row each with its state and its passphrase, and one button. */
import { Button, Checkbox, Stack } from '@mantine/core';
import { type FormEvent, useId, useRef } from 'react';
import { askOf } from '../../../shared/model/plan.ts';
import { counted } from '../../../shared/wording/format/counted.ts';
import { quotedWallet, walletLabel } from '../../../shared/wording/format/walletLabel.ts';
import { balanceOf, nodeOf, standingOf } from '../../../shared/wording/planWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import { SecretInput } from '../../components/fields.tsx';
import layout from '../../components/layout.module.css';
import { List } from '../../components/lists.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { Disclosure, PageHeading } from '../../components/parts.tsx';
import { Quiet, SafeText } from '../../components/texts.tsx';
import { go } from '../../state/appStore.ts';
import { type Draft, passphraseFields, seenPlan, stopOf } from '../../state/draft.ts';
import { usePlans } from '../../state/plansStore.ts';
import { AskField } from '../wallet/action/Asks.tsx';
import { Warnings } from '../wallet/action/CheckList.tsx';
import { PassphraseField } from '../wallet/action/PassphraseField.tsx';
import { PlanDetails } from '../wallet/tabs/PlanDetails.tsx';
import styles from './Batch.module.css';
import { BatchRun } from './BatchRun.tsx';

export function Batch() {
  const all = usePlans((state) => state.drafts);
  const batch = usePlans((state) => state.batch);
  const drafts = all.filter((draft) => draft.batch);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (blockOf(drafts) === null) void usePlans.getState().startBatch();
  }

  if (drafts.length === 0) return null;
  return (
    <>
      {batch === 'running' && (
        <BatchRun drafts={drafts.filter(({ standing }) => standing.state !== 'open')} />
      )}
      {/* Not a grid, in which its foot would not stay in sight. */}
      <Stack
        component="form"
        onSubmit={submit}
        display={batch === 'running' ? 'none' : 'flex'}
        aria-busy={drafts.some(({ looking }) => looking)}
        aria-label={say('Several wallets')}
      >
        <Many drafts={drafts} />
      </Stack>
    </>
  );
}

function Many({ drafts }: { drafts: readonly Draft[] }) {
  const takers = drafts.filter(({ takesPart }) => takesPart);
  const lockedCount = takers.filter(({ plan }) => plan && askOf(plan, 'passphrase')).length;
  const first = drafts.find(({ plan }) => plan !== null)?.plan;
  return (
    <>
      <PageHeading title={say('Migrate {wallets}', { wallets: counted.wallets(takers.length) })}>
        {first && nodeOf(first)}
      </PageHeading>
      <Quiet>{say('One after another; if one fails, the next continues.')}</Quiet>
      {lockedCount > 1 && <PassphraseForAll />}
      <List look="boxed" label={say('Wallets')} roomy>
        {drafts.map((draft) => (
          <PlanRow key={draft.key} draft={draft} />
        ))}
      </List>
      <Foot drafts={drafts} />
    </>
  );
}

function Foot({ drafts }: { drafts: readonly Draft[] }) {
  const block = blockOf(drafts);
  const blockId = useId();
  function leave() {
    usePlans.getState().leaveBatch();
    go({ at: 'wallets' });
  }
  return (
    <footer className={`${layout.end} ${styles.foot}`}>
      <p id={blockId} role="status" className={`${layout.small} ${layout.grows}`}>
        {block}
      </p>
      <Button variant="default" onClick={leave}>
        {say('Cancel')}
      </Button>
      <ActionButton type="submit" blocked={block !== null} describedBy={blockId}>
        {say('Migrate')}
      </ActionButton>
    </footer>
  );
}

/** Why they cannot be run yet, in a sentence; null where they can. */
function blockOf(drafts: readonly Draft[]): string | null {
  const takers = drafts.filter(({ takesPart }) => takesPart);
  if (takers.length === 0) return say('Choose a wallet.');
  for (const draft of takers) {
    const stop = stopOf(draft);
    if (stop !== null)
      return draft.plan === null || drafts.length === 1
        ? stop
        : `${quotedWallet(draft.plan.wallet)}: ${stop}`;
  }
  return null;
}

/** One field for all wallets: what is typed there is tried on each that has nothing typed of its own. */
function PassphraseForAll() {
  const filled = useRef(new WeakSet<HTMLInputElement>());
  function spread(value: string) {
    for (const field of passphraseFields.values()) {
      if (field.value !== '' && !filled.current.has(field)) continue;
      filled.current.add(field);
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
  return (
    <SecretInput
      maw={340}
      label={say('Passphrase for all')}
      reveal={say('Show passphrase')}
      description={say('Tried on each wallet. It is not kept.')}
      onInput={(event) => spread(event.currentTarget.value)}
    />
  );
}

function PlanRow({ draft }: { draft: Draft }) {
  const { key, plan, source, takesPart, looking, error } = draft;
  const { takePart, lookAgain } = usePlans.getState();
  const seen = seenPlan(draft);
  const name = source.by === 'wallet' ? source.name : source.path;
  const passphrase = plan && takesPart && askOf(plan, 'passphrase');
  return (
    <li className={layout.stack}>
      <Checkbox
        label={<SafeText text={walletLabel(name)} />}
        description={plan ? (balanceOf(plan) ?? say('The app cannot read its file.')) : null}
        checked={takesPart}
        onChange={(event) => takePart(key, event.currentTarget.checked)}
      />
      {looking && !plan && <p role="status">{say('Checking…')}</p>}
      {error && <ErrorNotice error={error} quiet />}
      {!seen && !looking && <SmallButton onClick={() => lookAgain(key)}>{say('Check again')}</SmallButton>}
      {passphrase && <PassphraseField ask={passphrase} draft={draft} wallet={name} />}
      {seen && (
        <Disclosure summary={<SafeText text={stopOf(draft) ?? standingOf(seen, true).text} />}>
          <div className={layout.apart}>
            <Warnings checks={seen.checks} />
            {seen.asks.map((ask) => (
              <AskField key={ask.ask} ask={ask} draft={draft} plan={seen} />
            ))}
            <PlanDetails draft={draft} plan={seen} />
          </div>
        </Disclosure>
      )}
    </li>
  );
}
