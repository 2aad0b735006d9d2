/** What goes to the engine's threads, and what comes back. */
import type { FileJob, FileJobKind } from './fileJob.ts';
import type { HeavyJob } from './heavyJob.ts';
import type { ThreadError } from './threadError.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly sqlite: WebAssembly.Module;
  /** `secrets`: one piece of heavy work, and the thread is ended with it. `files`: one job after the other. */
  readonly serves: 'secrets' | 'files';
}

/** `forget`: wallets that are not asked about any more. It is not answered; all others are. */
export type ToThread =
  | HeavyJob
  | { readonly kind: 'file'; readonly job: FileJob<FileJobKind> }
  | { readonly kind: 'forget'; readonly ids: readonly number[] };

/** `warm`: a thread for secrets is ready, and this is what it made of a made-up wallet. */
export type FromThread<R> =
  | { readonly kind: 'warm'; readonly file: Uint8Array }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: ThreadError };
