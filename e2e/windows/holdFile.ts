/** Opens a file for reading and writing, as a node does with a loaded wallet, until it is killed. Prints a line when it has. */
import { openSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);
openSync(file, 'r+');
process.stdout.write('open\n');
setInterval(() => {}, 60_000);
