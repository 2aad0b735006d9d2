/** The master key under which a legacy wallet's private keys are encrypted, by its passphrase. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { unlock } from '../key/crypter.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { hasFlag } from '../record/walletFlags.ts';

/**
 * Null for a wallet without encryption; else 32 bytes, secret: fill them with zeros after use. Throws AppError
 * `wallet_unlock_needed` without a passphrase, `wrong_passphrase` with another, and as `unlock` does.
 */
export async function walletMasterKey(
  legacy: LegacyWallet,
  passphrase: string | undefined,
): Promise<Uint8Array | null> {
  const { masterKeys, encryptedKeys } = legacy;
  if (!isEncrypted(legacy)) return null;
  if (passphrase === undefined || passphrase === '') {
    throw new AppError(
      'wallet_unlock_needed',
      say('The wallet is encrypted, so its passphrase is needed to migrate it.'),
      say('Nothing was changed. Give the passphrase and try again.'),
    );
  }
  const unlocked = await unlock(masterKeys, encryptedKeys[0] ?? null, passphrase);
  if ('masterKey' in unlocked) return unlocked.masterKey;
  throw new AppError(
    'wrong_passphrase',
    say('The passphrase is not the one of this wallet.'),
    passphrase.includes('\0')
      ? say(
          'Nothing was changed. It holds a zero byte: if it was set with a release before 25, try only what comes before that byte.',
        )
      : say('Nothing was changed. Check capitals, spaces and the keyboard layout, and try again.'),
  );
}

/** A wallet that only watches may have a master key that nothing is encrypted with: nodes drop it when they load. */
function isEncrypted({ masterKeys, encryptedKeys, flags }: LegacyWallet): boolean {
  if (encryptedKeys.length > 0) return true;
  return masterKeys.length > 0 && !hasFlag(flags, 'disable_private_keys');
}
