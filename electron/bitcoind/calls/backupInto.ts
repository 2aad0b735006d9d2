/** Has a node write a copy of a wallet into a folder of the app, and checks that no other user redirected it. */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import type { Listener } from '../../../shared/model/node.ts';
import { walletUnchanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { fileError, systemCode } from '../../files/fileError.ts';
import { refuseSharedCopies } from '../../files/lock/refuseSharedFolder.ts';
import { realPath } from '../../files/openFile.ts';
import { type OpenFolder, openFolder } from '../../files/openFolder.ts';
import type { Session } from '../rpc/session.ts';
import { type Call, send } from './call.ts';

/**
 * `call` is the `backupCall` to `path`. The node follows links with its own user's rights, so this function checks
 * the folder before and after the call. The file that the node wrote must be a regular file of this user or the
 * node's user, with no second name.
 *
 * @throws AppError `not_available_here`, with nothing sent, if others can change the folder; `file_changed` if the
 * node wrote something else; and what the node's call throws.
 */
export async function backupInto(
  { client }: Session,
  call: Call,
  destination: string,
  signal?: AbortSignal,
): Promise<void> {
  refuseSharedCopies(dirname(destination));
  const folder = await realPath(dirname(destination))
    .then(openFolder)
    .catch((error) => {
      throw fileError(error, dirname(destination));
    });
  try {
    await send(client, call, { timeoutMs: null, signal });
    if (!(await isOwnFile(folder, basename(destination), client.listener())))
      throw new AppError(
        'file_changed',
        say('{path} is not the node’s copy.', { path: destination }),
        walletUnchanged(say('Somebody may have the copy and its keys: check who can write there.')),
      );
    refuseSharedCopies(dirname(destination));
  } finally {
    await folder.close();
  }
}

/** True also if there is no file: a node in a container writes to its own disk. */
async function isOwnFile(folder: OpenFolder, name: string, listener: Listener | null): Promise<boolean> {
  try {
    const facts = await lstat(await folder.at(name), { bigint: true });
    return facts.isFile() && facts.nlink === 1n && isOfUs(facts, listener);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') return false;
    // The file is missing only if the folder is still where it was.
    const path = await folder.at(name).catch(() => null);
    return path !== null;
  }
}

/** Only a node of this user or of the system can write into a folder that is this user's alone. */
function isOfUs({ uid }: BigIntStats, listener: Listener | null): boolean {
  const user = process.getuid?.();
  return user === undefined || [user, ROOT, listener?.user].includes(Number(uid));
}

const ROOT = 0;
