/** Why a migration was refused. The node answers -4 for everything: facts tell the cases apart, never its text. */
import { existsSync } from 'node:fs';
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import type { Evidence } from '../plan/course.ts';

interface KnownBefore {
  readonly gavePassphrase: boolean;
  /** Null: not known. */
  readonly encrypted: boolean | null;
}

/**
 * The node's refusal with what is known beside it. An encrypted wallet that was backed up and then not
 * converted was not unlocked: so every release from 25 to 31 was recorded with a wrong passphrase and with none.
 * Where the log cannot be read, that is only named as a possible cause.
 */
export function explainMigration(
  error: AppError,
  { log, readable }: Evidence,
  { gavePassphrase, encrypted: knownBefore }: KnownBefore,
): AppError {
  if (error.node?.code !== WALLET_ERROR) return error;
  if (!readable) {
    const cause = gavePassphrase
      ? say('The passphrase may be wrong.')
      : say('The passphrase may be missing.');
    return knownBefore === false ? error : withHint(error, cause);
  }
  if (log.backupPath === null) return error;
  // A node leaves the backup; the offline engine takes it back with all else.
  const backup = existsSync(log.backupPath)
    ? say('The node’s backup is at {path}.', { path: log.backupPath })
    : say('The node’s backup may still be there: {path}.', { path: log.backupPath });
  const encrypted = log.encrypted === true || knownBefore === true;
  const notConverted = log.phase === 'backing-up';
  if (!(encrypted && notConverted)) {
    return withHint(error, backup);
  }
  const [code, message, todo] = gavePassphrase
    ? ([
        'wrong_passphrase',
        say('The passphrase is wrong.'),
        say('Check capitals, spaces and keyboard layout. Tries are not limited.'),
      ] as const)
    : ([
        'wallet_unlock_needed',
        say('The wallet is encrypted, and no passphrase was given.'),
        say('Try again with the passphrase.'),
      ] as const);
  return new AppError(code, message, [say('Nothing was changed.'), backup, todo].join(' '), error.node);
}

/** `RPC_WALLET_ERROR` of `src/rpc/protocol.h`. */
const WALLET_ERROR = -4;

function withHint({ code, message, hint, node }: AppError, more: string): AppError {
  return new AppError(code, message, `${hint} ${more}`, node);
}
