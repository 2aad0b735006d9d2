/** Refuses a wallet of another chain, as a node does. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { lastBlockOf } from '../records/lastBlock.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { scriptIfAddress } from '../script/address.ts';
import { coinOf, coinsOfAddress } from './coinOf.ts';
import { genesisBlocks } from './coins.ts';

/**
 * Throws `wallet_error` with a node's words where the first block of the chain that a wallet saw is not that of
 * the network, as a node refuses it (`CWallet::AttachChain`, from release 24 on), and for what is another coin's wallet by
 * anything else, which a node may take for Bitcoin's. `doing`: a migration looks at the address book before it loads.
 */
export function refuseOtherChain(
  records: RecordsByType,
  network: Network,
  doing: 'load' | 'migration' = 'load',
): void {
  const first = lastBlockOf(records)?.first;
  const coin = coinOf(records);
  const isOther = coin.verdict === 'other';
  if (!isOther && (first === undefined || first === genesisBlocks[network])) return;
  const message = doing === 'migration' && hasForeignAddress(records, network) ? ADDRESS_BOOK : OTHER_CHAIN;
  throw new FileError(
    'wallet_error',
    isOther ? { code: 'other_coin', coin } : { code: 'network_of_other_chain' },
    { code: -4, message },
  );
}

/** Recorded from 31.0 with a Dash wallet. */
const ADDRESS_BOOK = 'Error: Address book data in wallet cannot be identified to belong to migrated wallets';
/** Of `wallet.cpp`, release 31.0. */
const OTHER_CHAIN =
  'Wallet loading failed. Wallet files should not be reused across chains. Restart bitcoind with -walletcrosschain to override.';

function hasForeignAddress(records: RecordsByType, network: Network): boolean {
  return [...records.of('name'), ...records.of('purpose')].some(
    ({ address }) => scriptIfAddress(address, network) === null && coinsOfAddress(address).length > 0,
  );
}
