/** Lets the user say which network a wallet file is of, where the file does not tell. */
import { Group, Radio } from '@mantine/core';
import type { InspectedNetwork } from '../../../shared/inspection.ts';
import { type Network, networks } from '../../../shared/network.ts';
import { networkName } from '../../../shared/networkName.ts';
import { say } from '../../../shared/text/say.ts';
import styles from './Inspect.module.css';

interface InspectNetworkProps {
  found: InspectedNetwork;
  chosen: Network | null;
  onChoose: (network: Network | null) => void;
}

export function InspectNetwork({ found, chosen, onChoose }: InspectNetworkProps) {
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
