/** What a wallet is, what it holds, what a migration would make of it, and whether a passphrase fits. */
import { isPastedText } from '../../../../shared/model/files.ts';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import { questionOf } from '../../../../shared/model/plan.ts';
import { balanceWords } from '../../../../shared/wording/balanceWords.ts';
import { stopsOfEveryNode } from '../../../../shared/wording/findings/migrationWords.ts';
import { joinWithSemicolons } from '../../../../shared/wording/format/perRegion.ts';
import {
  birthWords,
  flagWords,
  isUnreadable,
  mayMissEntries,
} from '../../../../shared/wording/inspectionWords.ts';
import { previewedWallets } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { FactList } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { Say, Term } from '../../../components/texts.tsx';
import { migratesHere, type WalletPageState } from '../../../state/useWalletPage.ts';
import { TryPassphrase } from '../action/PassphraseField.tsx';
import { MigrationPreviewList } from './PlanDetails.tsx';

export function Overview({ page, inspection }: { page: WalletPageState; inspection: Inspection }) {
  const { route, facts, job, draft } = page;
  const { source } = route;
  const { migration, encryption } = inspection;
  const isOpen = job === null && !isUnreadable(inspection);
  const showsMigration =
    isOpen && inspection.coin.verdict !== 'other' && isNotable(inspection) && !isPastedText(facts);
  // The action card asks for the passphrase then. A field here would disappear, with its text, when the card appears.
  const isAsked =
    draft === null
      ? mayGetCard(page, inspection)
      : draft.waits === 'passphrase' ||
        (draft.plan ? questionOf(draft.plan, 'passphrase') !== undefined : draft.looking);
  return (
    <>
      <WhatItIs inspection={inspection} />
      {showsMigration && migration && (
        <Section
          title={<Say text="After the {migration}" values={{ migration: <Term word="migration" /> }} />}
        >
          {mayMissEntries(inspection) && (
            <Notice tone="read" title={say('Only the readable part')}>
              {say('A node may refuse a damaged file.')}
            </Notice>
          )}
          <MigrationPreviewList preview={migration} name={source.by === 'wallet' ? source.name : null} />
        </Section>
      )}
      {encryption && isOpen && !isAsked && (
        <TryPassphrase source={source} secondsPerTry={encryption.secondsPerTry} />
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
function isNotable(inspection: Inspection): boolean {
  const { migration } = inspection;
  if (migration === null) return false;
  const { unownedTransactions, leftOut } = migration;
  const isPlain = stopsOfEveryNode(migration).length + unownedTransactions.total + leftOut === 0;
  return !isPlain || previewedWallets(migration, null).length !== 1 || mayMissEntries(inspection);
}

/** What the top of the page does not say. */
function WhatItIs({ inspection }: { inspection: Inspection }) {
  const { coin, kind } = inspection;
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  return (
    <FactList
      facts={[
        [say('Kind'), kind === 'descriptor' && say('Descriptor wallet. Needs no migration.')],
        [say('Created'), birthWords(inspection.birth).when],
        ...(coin.verdict === 'other' ? [] : balanceWords(inspection).parts),
        [say('Special'), flags.length > 0 && joinWithSemicolons(flags)],
      ]}
    />
  );
}
