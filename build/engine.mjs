/** `npm run engine -- --wallets DIR …`: runs the offline engine in this terminal. Builds the app first if needed. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './system.mjs';
import { buildApp } from './tool.mjs';

const program = join(root, 'out', 'main', 'engine.cjs');
if (!existsSync(program) && !(await buildApp())) process.exit(1);
const engine = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => engine.kill(signal));
engine.on('exit', (code) => process.exit(code ?? 1));
