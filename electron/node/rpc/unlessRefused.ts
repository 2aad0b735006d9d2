/** What is worth having without a call that a node does not have, or that a login may not make. */
import { AppError } from '../../../shared/errors.ts';

/** For `catch`: null for such a call; throws everything else again. */
export function unlessRefused(thrown: unknown): null {
  const refusals = ['unknown_method', 'no_wallet_support', 'forbidden'];
  if (thrown instanceof AppError && refusals.includes(thrown.code)) return null;
  throw thrown;
}
