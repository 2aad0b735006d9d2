/** The networks a node or a wallet can be on. */
import { z } from 'zod';

export const networks = ['main', 'testnet3', 'testnet4', 'signet', 'regtest'] as const;
export const network = z.enum(networks);
export type Network = z.infer<typeof network>;
