/** An error as the engine's calls answer it: a number of Bitcoin Core's list and a sentence. */
import { FileError } from '../../../shared/model/findings/fileError.ts';

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

/** The answer to a call whose task exceeded the engine's limits of time or memory. Other errors stay as they are. */
export function answerOfLimits(error: unknown): unknown {
  const finding = error instanceof FileError ? error.finding : null;
  if (finding?.code === 'work_too_long') {
    const minutes = Math.ceil(finding.seconds / 60);
    return new RpcError(
      'wallet',
      `The work on this wallet was ended after ${minutes} minutes: its file may be made to never come to an end. No wallet file was changed. Try another copy of it, or on a faster computer.`,
    );
  }
  if (finding?.code === 'work_too_large') {
    return new RpcError(
      'outOfMemory',
      'The work on this wallet takes more memory than the engine can have. No wallet file was changed. Try it on a computer with more memory.',
    );
  }
  return error;
}
