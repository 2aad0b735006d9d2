/** Whose an output script is, as a wallet's file knows it. */
export interface Ownership {
  /** By the script's hex. `null`: not the wallet's. */
  of(script: string): Owner | null;
}

export type Owner = 'spendable' | 'watched';
