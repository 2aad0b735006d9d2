/** A node that the app started by itself: what it knows of it for certain. */
import type { AppError } from '../../../shared/errors.ts';
import type { NodeLogin } from '../rpc/credentials.ts';

export interface OwnNode extends NodeLogin {
  /** The folder it was started on. */
  readonly walletsFolder: string;
  /** Why it does not answer, when the app knows better than that it does not. */
  lostBecause(): AppError | null;
}
