/** The errors of reading and using descriptors. Never quotes the descriptor: it may hold a private key. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';

const HINT = say('Nothing was changed. Check that the descriptor was copied whole and from the right place.');

/** A descriptor that is wrong, or that cannot be used the way it was asked to be. */
export function descriptorError(message: string, hint: string = HINT): AppError {
  return new AppError('bad_input', message, hint);
}

/**
 * A descriptor of a kind that Bitcoin Core knows and this app does not read: Miniscript, taproot script trees,
 * MuSig2 and several paths in one. It may well be right; the wallet that holds it is not damaged.
 */
export class UnsupportedDescriptor extends AppError {
  constructor(message: string) {
    super(
      'bad_input',
      message,
      say(
        'The wallet is not damaged by this. A node can still use the descriptor; only its addresses are not listed here.',
      ),
    );
  }
}
