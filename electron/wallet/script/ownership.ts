/** Whose an output script is, as a wallet's file knows it. */
export interface Ownership {
  /** `null`: not the wallet's. */
  of(script: Uint8Array): Owner | null;
}

export type Owner = 'spendable' | 'watched';
