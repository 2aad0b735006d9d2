/**
 * `npm run ferry -- VERB …`: builds what is not built yet and runs the app in this terminal, in this process: it has the
 * file descriptors that it was given.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './system.mjs';
import { buildApp } from './tool.mjs';

const program = join(root, 'out', 'main', 'ferry.cjs');
// npm goes to the project's folder: what is typed is meant from where it was typed.
const { INIT_CWD: typedIn, npm_lifecycle_event: script } = process.env;
if (script === 'ferry' && typedIn) process.chdir(typedIn);
// Standard output is for what was asked.
if (!existsSync(program) && !(await buildApp({ output: 2 }))) process.exit(1);
await import(pathToFileURL(program).href);
