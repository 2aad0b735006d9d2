/** Everything that a wallet file tells, problems first. */
import { Box, Button, Group, Radio, Title } from '@mantine/core';
import type { WalletSource } from '../../../shared/contract.ts';
import { type FileFacts, isPastedText } from '../../../shared/model/files.ts';
import type { InspectedNetwork, Inspection } from '../../../shared/model/inspection.ts';
import type { MigrationPreview } from '../../../shared/model/migrationPreview.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import { needsRescue } from '../../../shared/model/way.ts';
import { balanceWords } from '../../../shared/wording/balanceWords.ts';
import { formatExactSize } from '../../../shared/wording/format/formatSize.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { listedApart } from '../../../shared/wording/format/listed.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import {
  birthWords,
  encryptionWords,
  flagWords,
  kindWords,
  lacksSomething,
  networkFound,
  readWords,
} from '../../../shared/wording/inspectionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { CopyText } from '../../components/input/CopyButton.tsx';
import layout from '../../components/layout.module.css';
import { FactList } from '../../components/list/FactList.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Panes } from '../../components/Panes.tsx';
import { Section } from '../../components/Section.tsx';
import { Tag } from '../../components/Tag.tsx';
import { Quiet, SafeText, Say, Term, WalletName } from '../../components/text/texts.tsx';
import { go, useNode } from '../../state/appStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { MigrationPreviewList } from '../job/plan/MigrationPreviewList.tsx';
import { InterruptedSource } from '../job/result/Interrupted.tsx';
import { InspectContentsLists } from './InspectContentsLists.tsx';
import { InspectExport } from './InspectExport.tsx';
import { InspectKeys } from './InspectKeys.tsx';
import { InspectPassphrase } from './InspectPassphrase.tsx';
import { InspectProblems } from './InspectProblems.tsx';
import { InspectRecords } from './InspectRecords.tsx';
import { Proposal } from './Proposal.tsx';

interface InspectFoundProps {
  source: WalletSource;
  /** Null for the file of a wallet of the node. */
  facts: FileFacts | null;
  inspection: Inspection;
  /** The network that the user said it is of. */
  network: Network | null;
  onNetwork: (network: Network | null) => void;
}

export function InspectFound({ source, facts, inspection, network, onNetwork }: InspectFoundProps) {
  const lacks = lacksSomething(inspection);
  const nothing = lacks && readWords(inspection) === null;
  // Amounts and networks of Bitcoin would be untrue of it.
  const isBitcoins = inspection.coin.verdict !== 'other';
  const isText = isPastedText(facts);
  return (
    <>
      <div className={layout.ends}>
        <div className={`${layout.grows} ${layout.stack}`}>
          {!facts?.temporary && (
            <Title order={2} lineClamp={3}>
              {source.by === 'wallet' ? (
                <WalletName name={source.name} />
              ) : (
                <SafeText text={facts?.name ?? source.path} />
              )}
            </Title>
          )}
          <div className={layout.line}>
            {!isText &&
              (inspection.cutOff !== null ? (
                <Tag tone="danger">{say('Interrupted')}</Tag>
              ) : inspection.kind === 'legacy' ? (
                <Tag tone="read">{say('Legacy')}</Tag>
              ) : (
                <Tag>{say('Descriptor')}</Tag>
              ))}
            {inspection.network.name !== 'unknown' && <Tag>{networkName(inspection.network.name)}</Tag>}
            {inspection.encryption && <Tag>{say('Encrypted')}</Tag>}
            {inspection.flags.includes('disable_private_keys') && <Tag>{say('Watch-only')}</Tag>}
          </div>
        </div>
        {source.by === 'wallet' && (
          <Ways source={source} kind={inspection.cutOff === null ? inspection.kind : 'descriptor'} />
        )}
      </div>
      <InspectProblems inspection={inspection} />
      {inspection.cutOff !== null && <InterruptedSource source={source} />}
      {source.by === 'file' && inspection.cutOff === null && inspection.network.name !== 'unknown' && (
        <Proposal
          path={source.path}
          kind={inspection.kind}
          network={inspection.network.name}
          rescues={facts?.kind === 'other' || needsRescue(inspection)}
        />
      )}
      {isBitcoins && !nothing && (
        <WhichNetwork found={inspection.network} chosen={network} onChoose={onNetwork} />
      )}
      <Panes
        first={
          <>
            <WhatItIs facts={facts} inspection={inspection} />
            {isBitcoins && <Balance facts={facts} inspection={inspection} />}
            {inspection.encryption && (
              <InspectPassphrase source={source} encryption={inspection.encryption} />
            )}
            {isBitcoins && inspection.migration && inspection.cutOff === null && !nothing && !isText && (
              <Migration
                preview={inspection.migration}
                incomplete={lacks}
                name={source.by === 'wallet' ? source.name : null}
              />
            )}
            <InspectKeys inspection={inspection} />
          </>
        }
        second={
          <>
            <InspectContentsLists inspection={inspection} />
            {isBitcoins && facts?.kind !== 'other' && (
              <InspectExport source={source} facts={facts} inspection={inspection} network={network} />
            )}
            <InspectRecords inspection={inspection} />
          </>
        }
      />
    </>
  );
}

/** What can be done with a wallet of the node. */
function Ways({ source, kind }: Pick<InspectFoundProps, 'source'> & Pick<Inspection, 'kind'>) {
  const { begin } = usePlans.getState();
  const node = useNode();
  return (
    <div className={layout.row}>
      <Button variant="default" onClick={() => go({ at: 'wallets' })}>
        {say('To the wallets')}
      </Button>
      {kind === 'legacy' && node !== null && node.release.migrates !== 'no' && (
        <Button onClick={() => begin([{ action: 'migrate', source }])}>{say('Migrate')}</Button>
      )}
    </div>
  );
}

function WhatItIs({ facts, inspection }: Pick<InspectFoundProps, 'facts' | 'inspection'>) {
  const { lastWrittenBy } = inspection;
  const network = networkFound(inspection.network);
  // What the app made of a text is no file of the user's.
  const made = facts?.temporary === true;
  const isText = isPastedText(facts);
  const how = made && inspection.network.from === 'file' ? null : network.how;
  const birth = birthWords(inspection.birth);
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  return (
    <FactList
      facts={[
        !isText && { label: say('What it is'), value: kindWords(inspection) },
        { label: say('Network'), value: <Noted value={network.name} note={how} /> },
        !isText && { label: say('Encrypted'), value: encryptionWords(inspection) },
        { label: say('Made'), value: <Noted value={birth.when} note={birth.note} /> },
        !made && {
          label: say('Last written by'),
          value: lastWrittenBy ? say('Release {release}', { release: lastWrittenBy.text }) : say('Not known'),
        },
        flags.length > 0 && { label: say('Special'), value: listedApart(flags) },
        !made && facts && { label: say('Full path'), value: <CopyText text={facts.path} /> },
        !made && { label: say('Size'), value: formatExactSize(inspection.file.size) },
        !made && facts && { label: say('Last changed'), value: formatTime(facts.modified) },
      ]}
    />
  );
}

function Noted({ value, note }: { value: string; note: string | null }) {
  return (
    <>
      {value}
      {note !== null && <Quiet small>{note}</Quiet>}
    </>
  );
}

interface WhichNetworkProps {
  found: InspectedNetwork;
  chosen: Network | null;
  onChoose: (network: Network | null) => void;
}

/** Lets the user say which network a wallet file is of, where the file does not tell. */
function WhichNetwork({ found, chosen, onChoose }: WhichNetworkProps) {
  if (found.name !== 'unknown' && found.from !== 'asked') return null;
  return (
    <div className={layout.card}>
      <Radio.Group
        label={say('Which network is this wallet of?')}
        description={say('The file does not say.')}
        value={chosen ?? ''}
        onChange={(value) => onChoose(networks.find((network) => network === value) ?? null)}
      >
        <Group gap="md" mt="xs">
          {networks.map((network) => (
            <Radio key={network} value={network} label={networkName(network)} />
          ))}
        </Group>
      </Radio.Group>
    </div>
  );
}

/** The balance that the file last knew, and from when that knowledge is. */
function Balance({ facts, inspection }: Pick<InspectFoundProps, 'facts' | 'inspection'>) {
  const { total, parts, notes } = balanceWords(inspection);
  // Keys alone tell none.
  if (facts?.temporary && total === null) return null;
  const { lastBlock } = inspection.balance;
  const block = lastBlock !== null && {
    label: say('Newest block'),
    value: <CopyText text={lastBlock} />,
  };
  return (
    <Section title={say('Last known balance')}>
      <div className={layout.card}>
        <Box fz="1.5rem" fw={650} lh={1.3} className={`${layout.name} ${layout.numbers}`}>
          {total ?? say('Not known')}
        </Box>
        {notes.map((note) => (
          <Quiet key={note}>{note}</Quiet>
        ))}
        <FactList facts={[...parts, block]} />
      </div>
    </Section>
  );
}

interface MigrationProps {
  preview: MigrationPreview;
  /** A part of the file could not be read. */
  incomplete: boolean;
  /** Of the wallet; null for a file that is not one of the node's yet. */
  name: string | null;
}

/** What would come of migrating a legacy wallet. */
function Migration({ preview, incomplete, name }: MigrationProps) {
  return (
    <Section title={say('After a migration')}>
      <Quiet>
        <Say
          text="{migrating} turns it into {descriptorWallets}, by the rules of release 31:"
          values={{
            migrating: <Term word="migration">{say('Migrating')}</Term>,
            descriptorWallets: <Term word="descriptor wallet">{say('descriptor wallets')}</Term>,
          }}
        />
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
