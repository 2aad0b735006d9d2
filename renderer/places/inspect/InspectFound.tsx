/** Everything that a wallet file tells, problems first. */
import { Group, Radio, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WalletSource } from '../../../shared/contract.ts';
import type { FileFacts } from '../../../shared/files.ts';
import type { InspectedNetwork, Inspection } from '../../../shared/inspection.ts';
import { type Network, networks } from '../../../shared/network.ts';
import { networkName } from '../../../shared/networkName.ts';
import { say } from '../../../shared/text/say.ts';
import { birthWords } from '../../../shared/words/birthWords.ts';
import { formatExactSize } from '../../../shared/words/format/formatSize.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { listedApart } from '../../../shared/words/format/listed.ts';
import {
  encryptionWords,
  flagWords,
  kindWords,
  lacksSomething,
  readWords,
} from '../../../shared/words/inspectionWords.ts';
import { networkFound } from '../../../shared/words/networkFound.ts';
import { FactList } from '../../elements/list/FactList.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
import styles from './Inspect.module.css';
import { InspectBalance } from './InspectBalance.tsx';
import { InspectContentsLists } from './InspectContentsLists.tsx';
import { InspectExport } from './InspectExport.tsx';
import { InspectKeys } from './InspectKeys.tsx';
import { InspectMigration } from './InspectMigration.tsx';
import { InspectPassphrase } from './InspectPassphrase.tsx';
import { InspectProblems } from './InspectProblems.tsx';
import { InspectRecords } from './InspectRecords.tsx';
import { InspectWays } from './InspectWays.tsx';

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
  return (
    <>
      <div className={styles.head}>
        <div className={styles.name}>
          <Title order={2} className={styles.fileName}>
            {source.by === 'wallet' ? (
              <WalletName name={source.name} />
            ) : (
              <SafeText text={facts?.name ?? source.path} />
            )}
          </Title>
          <div className={styles.tags}>
            {inspection.kind === 'legacy' ? (
              <Tag tone="read">{say('Legacy')}</Tag>
            ) : (
              <Tag>{say('Descriptor')}</Tag>
            )}
            {inspection.network.name !== 'unknown' && <Tag>{networkName(inspection.network.name)}</Tag>}
            {inspection.encryption && <Tag>{say('Encrypted')}</Tag>}
            {inspection.flags.includes('disable_private_keys') && <Tag>{say('Watch-only')}</Tag>}
          </div>
        </div>
        <InspectWays source={source} facts={facts} kind={inspection.kind} />
      </div>
      <InspectProblems inspection={inspection} />
      {!nothing && <InspectNetwork found={inspection.network} chosen={network} onChoose={onNetwork} />}
      <WhatItIs facts={facts} inspection={inspection} />
      <InspectBalance inspection={inspection} />
      {inspection.encryption && <InspectPassphrase source={source} encryption={inspection.encryption} />}
      {inspection.migration && !nothing && (
        <InspectMigration
          preview={inspection.migration}
          incomplete={lacks}
          name={source.by === 'wallet' ? source.name : null}
        />
      )}
      <InspectKeys inspection={inspection} />
      <InspectContentsLists inspection={inspection} />
      <InspectExport source={source} facts={facts} inspection={inspection} network={network} />
      <InspectRecords inspection={inspection} />
    </>
  );
}

function WhatItIs({ facts, inspection }: Pick<InspectFoundProps, 'facts' | 'inspection'>) {
  const network = networkFound(inspection.network);
  const birth = birthWords(inspection.birth);
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  return (
    <FactList
      facts={[
        { label: say('What it is'), value: kindWords(inspection) },
        { label: say('Network'), value: <Noted value={network.name} note={network.how} /> },
        { label: say('Encrypted'), value: encryptionWords(inspection) },
        {
          label: say('Made'),
          value: (
            <Noted
              value={birth.when}
              note={
                <>
                  {birth.note}
                  {lacksSomething(inspection) && <> {say('This is of the part that could be read.')}</>}
                </>
              }
            />
          ),
        },
        {
          label: say('Last written by'),
          value: inspection.lastWrittenBy
            ? say('Release {release}', { release: inspection.lastWrittenBy.text })
            : say('The file does not say'),
        },
        ...(flags.length === 0 ? [] : [{ label: say('Special about it'), value: listedApart(flags) }]),
        ...(facts ? [{ label: say('Full path'), value: <SafeText text={facts.path} mono /> }] : []),
        { label: say('Size'), value: formatExactSize(inspection.file.size) },
        ...(facts ? [{ label: say('Last changed'), value: formatTime(facts.modified) }] : []),
      ]}
    />
  );
}

function Noted({ value, note }: { value: string; note: ReactNode }) {
  return (
    <>
      {value}
      <div className={styles.small}>{note}</div>
    </>
  );
}

interface InspectNetworkProps {
  found: InspectedNetwork;
  chosen: Network | null;
  onChoose: (network: Network | null) => void;
}

/** Lets the user say which network a wallet file is of, where the file does not tell. */
function InspectNetwork({ found, chosen, onChoose }: InspectNetworkProps) {
  if (found.name !== 'unknown' && found.from !== 'asked') return null;
  return (
    <div className={styles.form}>
      <Radio.Group
        label={say('Which network is this wallet of?')}
        description={say(
          'The file does not tell. Addresses and amounts are shown as on the network that you choose; nothing is written to the file.',
        )}
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
