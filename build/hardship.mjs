/** `node build/hardship.mjs kills|mutations …`: runs one of the long trials of `e2e/hardship`. */
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from './system.mjs';

const [trial = '', ...args] = process.argv.slice(2);
if (!['kills', 'mutations'].includes(trial)) {
  console.error('Name a trial: kills or mutations.');
  process.exit(2);
}
const { module } = await runnerImport(join(root, 'e2e', 'hardship', `${trial}Command.ts`), {
  root,
  configFile: false,
  logLevel: 'error',
});
process.exit((await module.run(args)) ? 0 : 1);
