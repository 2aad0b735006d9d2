/** What a wallet is, what it holds, what a migration would make of it, and whether a passphrase fits. */
import { useRef, useState } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import { isPastedText } from '../../../../shared/model/files.ts';
import { type Inspection, isWrongPassphrase, rightVariant } from '../../../../shared/model/inspection.ts';
import { askOf, type WalletSource } from '../../../../shared/model/plan.ts';
import { balanceWords } from '../../../../shared/wording/balanceWords.ts';
import { stopsOfEveryNode } from '../../../../shared/wording/findings/migrationWords.ts';
import { listedApart } from '../../../../shared/wording/format/perRegion.ts';
import {
  birthWords,
  flagWords,
  isUnreadable,
  lacksSomething,
  PASSPHRASE_VERDICTS,
} from '../../../../shared/wording/inspectionWords.ts';
import { previewedWallets } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { ActionButton } from '../../../components/buttons.tsx';
import {
  Form,
  LongTry,
  PassphraseInput,
  takeSecret,
  typeInto,
  UseVariant,
} from '../../../components/fields.tsx';
import layout from '../../../components/layout.module.css';
import { FactList } from '../../../components/lists.tsx';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { CancelTask } from '../../../components/progress.tsx';
import { Say, Spoken, Term } from '../../../components/texts.tsx';
import { useAsking } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import { migratesHere, type WalletPageState } from '../../../state/useWalletPage.ts';
import { NearlyRemembered } from '../action/Searches.tsx';
import { MigrationPreviewList } from './PlanDetails.tsx';

export function Overview({ page, inspection }: { page: WalletPageState; inspection: Inspection }) {
  const { route, facts, job, draft } = page;
  const { source } = route;
  const isBitcoins = inspection.coin.verdict !== 'other';
  const nothing = isUnreadable(inspection);
  const isOpen = job === null;
  // The card asks for it then. A field that went when the card came would take along what was typed.
  const isAsked =
    draft === null
      ? mayGetCard(page, inspection)
      : draft.waits === 'passphrase' ||
        (draft.plan ? askOf(draft.plan, 'passphrase') !== null : draft.looking);
  return (
    <>
      <WhatItIs inspection={inspection} />
      {isBitcoins &&
        isOpen &&
        inspection.migration &&
        !nothing &&
        tells(inspection) &&
        !isPastedText(facts) && (
          <Section
            title={<Say text="After the {migration}" values={{ migration: <Term word="migration" /> }} />}
          >
            {lacksSomething(inspection) && (
              <Notice tone="read" title={say('Only the readable part')}>
                {say('A node may refuse a damaged file.')}
              </Notice>
            )}
            <MigrationPreviewList
              preview={inspection.migration}
              name={source.by === 'wallet' ? source.name : null}
            />
          </Section>
        )}
      {inspection.encryption && isOpen && !isAsked && !nothing && (
        <InspectPassphrase source={source} encryption={inspection.encryption} />
      )}
    </>
  );
}

/** Whether an action is still to be suggested, whose card may ask for the passphrase. */
function mayGetCard(page: WalletPageState, { network }: Inspection): boolean {
  if (page.route.source.by === 'file') return network.name !== 'unknown';
  return page.wallet === null || migratesHere(page);
}

/** Whether the migration does more than turn a whole wallet into one of the same name. */
function tells(inspection: Inspection): boolean {
  const { migration } = inspection;
  if (migration === null) return false;
  const { unownedTransactions, leftOut } = migration;
  const isPlain = stopsOfEveryNode(migration).length + unownedTransactions.total + leftOut === 0;
  return !isPlain || previewedWallets(migration, null).length !== 1 || lacksSomething(inspection);
}

/** What the top of the page does not say. */
function WhatItIs({ inspection }: { inspection: Inspection }) {
  const { coin, kind } = inspection;
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  return (
    <FactList
      facts={[
        kind === 'descriptor' && {
          label: say('Kind'),
          value: say('Descriptor wallet. Needs no migration.'),
        },
        { label: say('Made'), value: birthWords(inspection.birth).when },
        ...(coin.verdict === 'other' ? [] : balanceWords(inspection).parts),
        flags.length > 0 && { label: say('Special'), value: listedApart(flags) },
      ]}
    />
  );
}

interface InspectPassphraseProps {
  source: WalletSource;
  encryption: Inspection['encryption'];
}

/** Tries a passphrase on the file itself. Nothing but the field holds it, and it is cleared once it is right. */
function InspectPassphrase({ source, encryption }: InspectPassphraseProps) {
  const field = useRef<HTMLInputElement>(null);
  const [lacking, setLacking] = useState(false);
  const [wasWrong, setWasWrong] = useState(false);
  const { busy, error, found, ask, cancel, clear } = useAsking<Output<'wallet.tryPassphrase'>>();
  const verdict = found && PASSPHRASE_VERDICTS[found.verdict];

  async function tryIt() {
    const passphrase = field.current?.value ?? '';
    if (busy) return;
    setLacking(passphrase === '');
    if (passphrase === '') {
      clear();
      return field.current?.focus();
    }
    const tried = await ask((task) => bridge.call('wallet.tryPassphrase', { source, passphrase, task }));
    if (tried === null) return;
    // A wrong one stays, to be corrected.
    if (!tried.ok || !isWrongPassphrase(tried.value.verdict)) return takeSecret(field.current);
    setWasWrong(true);
    field.current?.focus();
  }

  return (
    <Section title={say('Try the passphrase')}>
      <Form className={layout.card} onSubmit={tryIt} aria-label={say('Try the passphrase')}>
        <PassphraseInput
          ref={field}
          maw={420}
          description={say('It is not kept.')}
          onInput={clear}
          error={lacking ? say('Type the passphrase.') : null}
        />
        <LongTry seconds={encryption?.secondsPerTry ?? null} />
        <ActionButton type="submit" variant="default" busy={busy}>
          {say('Try it')}
        </ActionButton>
        {busy && <CancelTask label={say('Cancel the attempt')} onCancel={cancel} />}
        <Spoken>
          {verdict && (
            <Notice tone={verdict.tone} title={verdict.title}>
              {verdict.text}{' '}
              <UseVariant
                variant={rightVariant(found.verdict)}
                field={() => field.current}
                onUse={() => void tryIt()}
              />
            </Notice>
          )}
        </Spoken>
        {error && <ErrorNotice title={say('Not tried')} error={error} />}
      </Form>
      {wasWrong && (
        <NearlyRemembered source={source} onFound={(passphrase) => typeInto(field.current, passphrase)} />
      )}
    </Section>
  );
}
