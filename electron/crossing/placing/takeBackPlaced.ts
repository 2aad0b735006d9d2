/** Takes away what was placed for a migration of which nothing came, or says why it is still there. */
import type { LeftCopy } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import { listWallets } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { CallFate } from '../plan/course.ts';
import type { MemoryOf } from '../plan/memory.ts';
import { isAsPlaced, takeBackWallet, type WhyLeft } from './placedWallet.ts';

/**
 * By the file system alone where the call never reached the node: the node may be gone. Where it answered, it is asked
 * first whether it has the wallet loaded. While nobody knows, nothing is taken away. Once nothing is there any more the
 * memory says so, and this gives null. Never throws.
 */
export async function takeBackPlaced(
  memory: MemoryOf<'restore-migrate'>,
  session: Session | null,
  call: CallFate,
): Promise<LeftCopy | null> {
  const { placed, name } = memory;
  if (placed === null) return null;
  if (call === 'open') return (await isAsPlaced(placed)) ? left(placed.file, 'open') : null;
  if (call === 'refused' && (await isAsPlaced(placed))) {
    const why = await whyNotTouched(session, name);
    if (why !== null) return left(placed.file, why);
  }
  const why = await takeBackWallet(placed);
  if (why !== null) return left(placed.file, why);
  memory.placed = null;
  return null;
}

/** For where nobody can wait until it is taken away. */
export function notYetTaken({ placed }: MemoryOf<'restore-migrate'>, call: CallFate): LeftCopy | null {
  return placed === null ? null : left(placed.file, call === 'open' ? 'open' : 'slow');
}

type WhyStill = WhyLeft | 'open' | 'slow' | 'not-asked';

async function whyNotTouched(session: Session | null, name: string): Promise<'not-asked' | 'in-use' | null> {
  if (session === null) return 'not-asked';
  try {
    return (await listWallets(session.client)).includes(name) ? 'in-use' : null;
  } catch {
    return 'not-asked';
  }
}

function left(path: string, why: WhyStill): LeftCopy {
  return { path, text: wordsOf(why) };
}

function wordsOf(why: WhyStill): string {
  switch (why) {
    case 'open':
      return say(
        'The app does not know whether the node works with it, so it leaves it there. Look at the wallet in the node first. If the node has nothing of it, remove the folder by hand.',
      );
    case 'slow':
      return say(
        'The disk was too slow to wait for. The app goes on taking it away, and looks again at its next start.',
      );
    case 'not-asked':
      return say(
        'The node could not be asked whether it has the wallet open. The app asks again when it is connected to this node, and then takes the copy away.',
      );
    case 'in-use':
      return say(
        'A program has it open. Unload the wallet in the node: the app then takes the copy away when it is next connected to the node, or at its next start.',
      );
    case 'not-removable':
      return say(
        'The system did not let the app remove it. Make the wallets folder writable again: the app tries again when it is next connected to the node, and at each start. Or remove the folder by hand.',
      );
    case 'out-of-reach':
      return say(
        'The wallets folder is out of reach, or is not the one any more that it was placed in. Connect its disk: the app looks again when it is next connected to the node, and at each start.',
      );
    case 'replaced':
      return say(
        'Something else lies there now, which the app leaves alone. Somebody moved the copy, or put something in its place: look for it, and at who may write there.',
      );
    case 'changed':
      return say(
        'The file was changed since, so the app leaves it alone. Look at it before you remove it: a program may have used it as a wallet.',
      );
    case 'unmarked':
      return say(
        'An earlier version of the app placed it and did not write down by what to know it again, so the app leaves it alone. Look at it, and remove the folder by hand.',
      );
  }
}
