/** A program: keeps a file open for reading and writing, like a node, until it is killed. Prints a line once it is open. */
import { openSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);
openSync(file, 'r+');
process.stdout.write('open\n');
setInterval(() => {}, 60_000);
