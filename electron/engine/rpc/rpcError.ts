/** An error as the engine's calls answer it: a number of Bitcoin Core's list and a sentence. */

/** Numbers of `src/rpc/protocol.h`, the ones that these calls use. */
export const rpcErrorNumbers = {
  misc: -1,
  typeError: -3,
  wallet: -4,
  invalidAddress: -5,
  outOfMemory: -7,
  invalidParameter: -8,
  invalidLabel: -11,
  unlockNeeded: -13,
  wrongPassphrase: -14,
  wrongEncryptionState: -15,
  walletNotFound: -18,
  walletNotSpecified: -19,
  walletAlreadyLoaded: -35,
  walletAlreadyExists: -36,
  invalidRequest: -32600,
  unknownMethod: -32601,
  internal: -32603,
  parse: -32700,
} as const;

export type RpcErrorName = keyof typeof rpcErrorNumbers;

/** Thrown by a call to be answered. The text must never hold a passphrase, a key or a cookie. */
export class RpcError extends Error {
  readonly code: number;

  constructor(
    readonly kind: RpcErrorName,
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcErrorNumbers[kind];
  }
}
