/**
 * `npm run ferry -- COMMAND …`: runs the app in this terminal. Builds it first if needed. Runs it in this process, so that
 * it keeps the inherited file descriptors.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './system.mjs';
import { buildApp } from './tool.mjs';

const program = join(root, 'out', 'main', 'ferry.cjs');
// npm changes to the project's folder. Change back, so that relative paths are those of the user's folder.
const { INIT_CWD: typedIn, npm_lifecycle_event: script } = process.env;
if (script === 'ferry' && typedIn) process.chdir(typedIn);
// Keep the build's output off standard output, which is for the program's result.
if (!existsSync(program) && !(await buildApp({ output: 2 }))) process.exit(1);
await import(pathToFileURL(program).href);
