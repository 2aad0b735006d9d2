/** The app's services in a process of their own: asked and listened to in lines of JSON, on a disk that may fail. */
import './breakDisk.ts';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createServices } from '../../electron/backend/services.ts';
import { takeBundledSqlite } from '../../electron/walletfile/database/bundledSqlite.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import { headless } from '../services/headless.ts';

const asked = z.object({ id: z.number(), name: z.string(), input: z.unknown() });

const [dataFolder = ''] = process.argv.slice(2);
takeBundledSqlite();
const services = createServices({
  host: headless,
  dataFolder,
  walletWork: walletWorkHere,
  version: '0.0.0',
  timing: { askEveryMs: 40, logEveryMs: 10 },
});
const tell = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
services.subscribe((event, value) => tell({ event, value }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, name, input } = asked.parse(JSON.parse(line));
  void services.call(name, input).then((answer) => tell({ id, answer }));
});
