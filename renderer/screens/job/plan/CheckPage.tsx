/**
 * The Check page: all that is known and all that is needed, on one page with one button, for one wallet or many. It stays
 * in the window while another place is looked at, so that what was typed stays too.
 */
import { Button, Checkbox } from '@mantine/core';
import { type FormEvent, useId } from 'react';
import { askOf } from '../../../../shared/model/plan.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { quotedWallet, walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { actionWords, balanceOf, nodeOf, standingOf } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import { ErrorNotice } from '../../../components/ErrorNotice.tsx';
import { ActionButton, SmallButton } from '../../../components/input/ActionButton.tsx';
import layout from '../../../components/layout.module.css';
import { List } from '../../../components/list/List.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { PageHeading } from '../../../components/PageHeading.tsx';
import { Quiet, SafeText } from '../../../components/text/texts.tsx';
import { Waiting } from '../../../components/Waiting.tsx';
import { go } from '../../../state/appStore.ts';
import { type Draft, seenPlan, stopOf } from '../../../state/draft.ts';
import { passphraseFields } from '../../../state/passphraseFields.ts';
import { usePlans } from '../../../state/plansStore.ts';
import { BatchPage } from '../run/BatchPage.tsx';
import styles from './CheckPage.module.css';
import { PassphraseField } from './PassphraseField.tsx';
import { PlanPart } from './PlanPart.tsx';

export function CheckPage() {
  const drafts = usePlans((state) => state.drafts);
  const run = usePlans((state) => state.run);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (blockOf(drafts) !== null) return;
    void usePlans.getState().start();
  }

  const [only, another] = drafts;
  if (only === undefined) return null;
  return (
    <>
      {run === 'many' && <BatchPage drafts={drafts.filter(({ standing }) => standing.state !== 'open')} />}
      <form
        onSubmit={submit}
        className={styles.page}
        hidden={run === 'many'}
        aria-busy={drafts.some(({ looking }) => looking)}
      >
        {another === undefined ? <One draft={only} /> : <Many drafts={drafts} />}
      </form>
    </>
  );
}

function One({ draft }: { draft: Draft }) {
  const { key, plan, looking, error, worse, action } = draft;
  const { cancelLook, lookAgain } = usePlans.getState();
  const busy = usePlans((state) => state.run === 'one');
  const seen = seenPlan(draft) !== null;
  const { title, button } = actionWords(action, plan);
  return (
    <>
      <PageHeading title={title}>{plan && nodeOf(plan)}</PageHeading>
      {worse && (
        <Notice tone="read" title={say('Something changed')} role="alert">
          <p>{say('Nothing was sent. Read the checks again.')}</p>
        </Notice>
      )}
      {error && <ErrorNotice error={error} title={seen ? say('Not started') : say('Check failed')} />}
      {!plan && looking && <Waiting onCancel={() => cancelLook(key)}>{say('Checking…')}</Waiting>}
      {!seen && !looking && (
        <Button variant="default" onClick={() => lookAgain(key)}>
          {say('Check again')}
        </Button>
      )}
      {plan && (
        <div hidden={!seen}>
          <PlanPart draft={draft} plan={plan} />
        </div>
      )}
      <Foot drafts={[draft]} busy={busy} label={button} />
    </>
  );
}

function Many({ drafts }: { drafts: readonly Draft[] }) {
  const takers = drafts.filter(({ takesPart }) => takesPart);
  const someEmpty = takers.some(({ plan, typed }) => plan && askOf(plan, 'passphrase') && !typed);
  const first = drafts.find(({ plan }) => plan !== null)?.plan;
  return (
    <>
      <PageHeading title={say('Migrate {wallets}', { wallets: counted.wallets(takers.length) })}>
        {first && nodeOf(first)}
      </PageHeading>
      <Quiet>{say('One after another; if one fails, the next continues.')}</Quiet>
      <List look="cards" label={say('Wallets')}>
        {drafts.map((draft) => (
          <PlanRow key={draft.key} draft={draft} someEmpty={someEmpty} />
        ))}
      </List>
      <Foot drafts={drafts} busy={false} label={say('Migrate')} />
    </>
  );
}

/** The one button, and why it does nothing yet. */
function Foot({ drafts, busy, label }: { drafts: readonly Draft[]; busy: boolean; label: string }) {
  const block = blockOf(drafts);
  const blockId = useId();
  function leave() {
    usePlans.getState().clear();
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
      <ActionButton type="submit" busy={busy} blocked={block !== null} describedBy={blockId}>
        {label}
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

interface PlanRowProps {
  draft: Draft;
  /** Whether a passphrase is asked for that is not typed yet. */
  someEmpty: boolean;
}

/** One of several plans: a line with what it is and how it stands, its passphrase, and all the rest behind it. */
function PlanRow({ draft, someEmpty }: PlanRowProps) {
  const { key, plan, source, takesPart, looking, error } = draft;
  const { takePart, lookAgain } = usePlans.getState();
  const seen = seenPlan(draft);
  const name = source.by === 'wallet' ? source.name : source.path;
  const passphrase = plan && takesPart && askOf(plan, 'passphrase');
  /** Into all fields that are empty, as if it were typed there. */
  function sameForOthers() {
    for (const field of passphraseFields.values()) {
      if (field.value !== '') continue;
      field.value = passphraseFields.get(key)?.value ?? '';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }
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
      {passphrase && draft.typed && someEmpty && (
        <SmallButton onClick={sameForOthers}>{say('Use for all')}</SmallButton>
      )}
      {seen && (
        <Disclosure summary={<SafeText text={stopOf(draft) ?? standingOf(seen, true).text} />}>
          <PlanPart
            draft={draft}
            plan={{ ...seen, asks: seen.asks.filter(({ ask }) => ask !== 'passphrase') }}
          />
        </Disclosure>
      )}
    </li>
  );
}
