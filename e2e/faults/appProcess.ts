/** A program: the app's services on a disk that may fail. Requests, answers and events are lines of JSON. */
import './breakDisk.ts';
import { createInterface } from 'node:readline';
import { z } from 'zod/mini';
import { createServices } from '../../electron/backend/services.ts';
import { registerBundledSqlite } from '../../electron/walletfile/database/sqliteDatabase.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { headless } from '../services/headless.ts';

const requestShape = z.object({ id: z.number(), name: z.string(), input: z.unknown() });

const [dataFolder = ''] = process.argv.slice(2);
registerBundledSqlite();
const services = createServices({
  host: headless,
  dataFolder,
  walletWork: walletWorkHere,
  version: '0.0.0',
  timing: { pollMs: 40, logPollMs: 10 },
});
const write = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
services.subscribe((event, value) => write({ event, value }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, name, input } = requestShape.parse(JSON.parse(line));
  void services.call(name, input).then((answer) => write({ id, answer }));
});
