/** For tests: locks a file as Bitcoin Core does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';

const PERL = '/usr/bin/perl';

/** Node.js cannot take such locks. */
export const canLockAsNode = process.platform === 'linux' && existsSync(PERL);

/** `struct flock` of Linux on 64 bits, for `F_SETLK` on the whole file: as `FileLock` in `src/util/fs.cpp`. */
const HOLD = `
use Fcntl;
open(my $file, '+>>', $ARGV[0]) or die;
my $lock = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
fcntl($file, F_SETLK, $lock) or die;
$| = 1;
if ($ARGV[1]) { open(my $again, '<', $ARGV[0]) or die; close($again); }
print "held";
<STDIN>;
`;

/**
 * Creates a missing file. Call the result to release the lock. `isListed`: the process then opens and closes the file once more, as
 * a node's `listwalletdir` does, which drops the lock.
 */
export async function lockAsNode(file: string, isListed = false): Promise<() => Promise<void>> {
  const holder = spawn(PERL, ['-e', HOLD, file, isListed ? '1' : '']);
  onTestFinished(() => void holder.kill());
  const [held] = await once(holder.stdout.setEncoding('utf8'), 'data', {
    signal: AbortSignal.timeout(10_000),
  });
  if (held !== 'held') throw new Error('the lock is not held');
  return async () => {
    holder.stdin.end();
    await once(holder, 'exit');
  };
}
