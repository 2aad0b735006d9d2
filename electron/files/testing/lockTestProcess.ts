/** For tests: a process that tries to lock a data folder for each line of its input, and keeps running. */
import { createInterface } from 'node:readline';
import { lockDataFolder } from '../lock/processLock.ts';

const [folder = ''] = process.argv.slice(2);
createInterface({ input: process.stdin }).on('line', () => {
  const lock = lockDataFolder(folder);
  process.stdout.write(`${lock.taken ? 'taken' : lock.why}\n`);
});
