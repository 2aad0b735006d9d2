/** What a wallet is, what it holds, and what a migration would make of it. */
import { isPastedText } from '../../../../shared/model/files.ts';
import type { Inspection } from '../../../../shared/model/inspection.ts';
import type { MigrationPreview } from '../../../../shared/model/migrationPreview.ts';
import { askOf } from '../../../../shared/model/plan.ts';
import { balanceWords } from '../../../../shared/wording/balanceWords.ts';
import { listedApart } from '../../../../shared/wording/format/listed.ts';
import {
  birthWords,
  flagWords,
  lacksSomething,
  readWords,
} from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { FactList } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { Quiet, Say, Term } from '../../../components/texts.tsx';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { InspectPassphrase } from './InspectPassphrase.tsx';
import { MigrationPreviewList } from './Rehearsal.tsx';

export function Overview({ page, inspection }: { page: WalletPageState; inspection: Inspection }) {
  const { route, facts, job, draft } = page;
  const { source } = route;
  const isBitcoins = inspection.coin.verdict !== 'other';
  const lacks = lacksSomething(inspection);
  const nothing = lacks && readWords(inspection) === null;
  const isOpen = job === null && inspection.cutOff === null;
  // The card asks for it then.
  const isAsked =
    draft !== null && (draft.waits === 'passphrase' || (draft.plan && askOf(draft.plan, 'passphrase')));
  return (
    <>
      <WhatItIs inspection={inspection} />
      {isBitcoins && isOpen && inspection.migration && !nothing && !isPastedText(facts) && (
        <Migration
          preview={inspection.migration}
          incomplete={lacks}
          name={source.by === 'wallet' ? source.name : null}
        />
      )}
      {inspection.encryption && isOpen && !isAsked && (
        <InspectPassphrase source={source} encryption={inspection.encryption} />
      )}
    </>
  );
}

/** What the top of the page does not say. */
function WhatItIs({ inspection }: { inspection: Inspection }) {
  const { lastWrittenBy, keys, coin } = inspection;
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  const { external, internal } = keys.unused;
  return (
    <FactList
      facts={[
        { label: say('Made'), value: birthWords(inspection.birth).when },
        lastWrittenBy && {
          label: say('Last written by'),
          value: say('Bitcoin Core {release}', { release: lastWrittenBy.text }),
        },
        external + internal > 0 && {
          label: say('Unused addresses'),
          value: say('{receiving, number} for receiving, {change, number} for change', {
            receiving: external,
            change: internal,
          }),
        },
        ...(coin.verdict === 'other' ? [] : balanceWords(inspection).parts),
        flags.length > 0 && { label: say('Special'), value: listedApart(flags) },
      ]}
    />
  );
}

interface MigrationProps {
  preview: MigrationPreview;
  incomplete: boolean;
  /** Of the wallet; null for a file that is not one of the node's yet. */
  name: string | null;
}

/** The wallets that a migration would make. */
function Migration({ preview, incomplete, name }: MigrationProps) {
  return (
    <Section title={say('What you get')}>
      <Quiet small>
        <Say text="After a {migration}:" values={{ migration: <Term word="migration" /> }} />
      </Quiet>
      {incomplete && (
        <Notice tone="read" title={say('Only of the part that could be read')}>
          {say('A node may refuse a damaged file.')}
        </Notice>
      )}
      <MigrationPreviewList preview={preview} name={name} />
    </Section>
  );
}
