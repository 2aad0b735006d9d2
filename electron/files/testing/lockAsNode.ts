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
$0 = 'bitcoind';
open(my $file, $ARGV[1] eq 'read' ? '<' : '+>>', $ARGV[0]) or die;
my $lock = pack('s s x4 q q i x4', F_WRLCK, 0, 0, 0, 0);
$ARGV[1] eq 'read' or fcntl($file, F_SETLK, $lock) or die;
$| = 1;
if ($ARGV[1] eq 'listed') { open(my $again, '<', $ARGV[0]) or die; close($again); }
print "held";
<STDIN>;
`;

/**
 * Creates a missing file. Call the result to release the lock. `listed`: the process then opens and closes the file once more, as a
 * node's `listwalletdir` does, which drops the lock. `read`: it only reads the file, and locks nothing.
 */
export async function lockAsNode(
  file: string,
  how: 'locked' | 'listed' | 'read' = 'locked',
): Promise<() => Promise<void>> {
  const holder = spawn(PERL, ['-e', HOLD, file, how]);
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
