/** For tests: a process that takes a folder of data when it is told to, and stays. */
import { createInterface } from 'node:readline';
import { lockDataFolder } from '../lock/processLock.ts';

const [folder = ''] = process.argv.slice(2);
createInterface({ input: process.stdin }).on('line', () => {
  const lock = lockDataFolder(folder);
  process.stdout.write(`${lock.taken ? 'taken' : lock.why}\n`);
});
