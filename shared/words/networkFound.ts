/** Which network a wallet file is of, and how that is known. */
import type { InspectedNetwork } from '../inspection.ts';
import { unitOf } from '../money.ts';
import type { Network } from '../network.ts';
import { anyOf, networkName } from '../networkName.ts';
import { say } from '../text/say.ts';

interface NetworkFound {
  name: string;
  /** A sentence on how it is known, or on what it can be. */
  how: string;
}

export function networkFound({ name, from, candidates }: InspectedNetwork): NetworkFound {
  if (name !== 'unknown') return { name: networkName(name), how: HOW[from] };
  if (candidates.length === 0) return { name: say('Not known'), how: HOW.nothing };
  const networks = anyOf(candidates);
  return {
    name: say('Not certain'),
    how:
      from === 'keys'
        ? say('Its keys are written as on {networks}, which write them alike.', { networks })
        : say('Its addresses are written as on {networks}, which write them alike.', { networks }),
  };
}

/** The network whose unit amounts are given in: where it is not known, the first that it can be. */
export function amountNetwork({ name, candidates }: InspectedNetwork): Network {
  return name === 'unknown' ? (candidates[0] ?? 'main') : name;
}

/** What to say of the unit of amounts; null where it is certain. */
export function unitRemark(network: InspectedNetwork): string | null {
  const { name, candidates } = network;
  const shown = amountNetwork(network);
  const unit = unitOf(shown);
  if (name !== 'unknown' || (candidates.length > 0 && candidates.every((one) => unitOf(one) === unit))) {
    return null;
  }
  return say('The file does not tell its network. Amounts are given in {unit}, as on {network}.', {
    unit,
    network: networkName(shown),
  });
}

const HOW: Readonly<Record<InspectedNetwork['from'], string>> = {
  file: say('The head of the file says so.'),
  'genesis-block': say('The first block of the chain that the wallet saw is of this network.'),
  asked: say('The file does not tell; this is what you said.'),
  keys: say('Its keys are written as on this network.'),
  addresses: say('Its addresses are written as on this network.'),
  nothing: say('Nothing in the file tells.'),
};
