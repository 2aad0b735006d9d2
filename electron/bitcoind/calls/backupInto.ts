/** Has a node write a copy of a wallet into a folder of the app, and into nothing that another user put in its place. */
import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { Listener } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { fileError } from '../../files/fileError.ts';
import { type HeldFolder, holdFolder } from '../../files/heldFolder.ts';
import { refuseSharedCopies } from '../../files/lock/refuseSharedFolder.ts';
import { systemCode } from '../../files/systemCode.ts';
import type { Session } from '../rpc/session.ts';
import { type Call, send } from './call.ts';

/**
 * `call` is the `backupCall` to `place`. The node follows links as its own user may: so the folder of `place` is looked at right before the call and after it,
 * and what came, if anything, has to be one file of
 * this user or the node's, under this name alone.
 *
 * @throws AppError `not_available_here`, with nothing sent, where others can change the folder by now; `file_changed`
 * where what came is something else; and what the node's call throws.
 */
export async function backupInto(
  { client }: Session,
  call: Call,
  place: string,
  signal?: AbortSignal,
): Promise<void> {
  refuseSharedCopies(dirname(place));
  const folder = await realpath(dirname(place))
    .then(holdFolder)
    .catch((error) => {
      throw fileError(error, dirname(place));
    });
  try {
    await send(client, call, { timeoutMs: null, signal });
    if (!(await isOwnFile(folder, basename(place), client.listener())))
      throw new AppError(
        'file_changed',
        say('What lies at {path} is not the copy the node wrote.', { path: place }),
        say(
          'The wallet was not changed. Somebody may have the copy, with its keys. Check who may write to the folders above it.',
        ),
      );
    refuseSharedCopies(dirname(place));
  } finally {
    await folder.close();
  }
}

/** True also where nothing came: a node in a container writes to a disk of its own. */
async function isOwnFile(folder: HeldFolder, name: string, listener: Listener | null): Promise<boolean> {
  try {
    const facts = await lstat(await folder.at(name), { bigint: true });
    return facts.isFile() && facts.nlink === 1n && isOfUs(facts, listener);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return false;
    // That there is nothing is of the folder only while that is where it was.
    const path = await folder.at(name).catch(() => null);
    return path !== null;
  }
}

/** A node that may write into a folder of this user alone is this user's or the system's. */
function isOfUs({ uid }: BigIntStats, listener: Listener | null): boolean {
  const user = process.getuid?.();
  return user === undefined || [user, ROOT, listener?.user].includes(Number(uid));
}

const ROOT = 0;
