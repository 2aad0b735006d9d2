/** The app's log, for users who ask for help. It holds codes and times, no names, paths, addresses, amounts or messages. */
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import electronLog from 'electron-log/node';
import { AppError } from '../../shared/model/errors.ts';
import { comparisonError, type Job } from '../../shared/model/job.ts';
import type { Connection } from '../../shared/model/node.ts';
import { systemCode } from '../files/fileError.ts';

// The library reports files that it cannot write on the console, where the terminal's users expect results only.
electronLog.transports.console.writeFn = () => {};

/** Bytes. A full log becomes `app.old.log`, which has the same limit. */
const MAX_BYTES = 1024 * 1024;

export function appLogPath(dataFolder: string): string {
  return join(dataFolder, 'app.log');
}

/**
 * Creates a log that writes only what these functions pick from their arguments, so that nothing private gets in. It
 * drops lines that it cannot write, such as on a full disk: logging never stops the app.
 */
export function createAppLog(dataFolder: string, { version, entry }: { version: string; entry: string }) {
  const log = electronLog.create({ logId: dataFolder });
  log.transports.console.level = false;
  const { file } = log.transports;
  file.setAppName('Wallet Ferry');
  file.resolvePathFn = () => appLogPath(dataFolder);
  file.maxSize = MAX_BYTES;
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
  file.format = ({ message }) => [`${message.date.toISOString()} ${message.data.join(' ')}`];

  let isClosed = false;
  const write = (...parts: readonly (string | number | null | undefined)[]) => {
    if (isClosed) return;
    log.info(...parts.filter((part) => part !== null && part !== undefined));
  };
  const lastLines = new Map<string, string>();
  /** Writes a line about `subject` unless its last line says the same. */
  const writeChange = (subject: string, ...parts: readonly (string | null | undefined)[]) => {
    const line = parts.filter((part) => part).join(' ');
    if (lastLines.get(subject) === line) return;
    lastLines.set(subject, line);
    write(subject, line);
  };

  const uncaught = (error: unknown) => write('uncaught', describeError(error));
  process.on('uncaughtExceptionMonitor', uncaught);
  write('started', version, entry, platform(), release(), arch(), `node ${process.versions.node}`);

  return {
    connection(connection: Connection): void {
      if (connection.state !== 'connected') {
        writeChange('connection', connection.state);
        return;
      }
      const { network, release: nodeRelease, offline } = connection.node;
      writeChange('connection', 'connected', network, nodeRelease.text, offline ? 'offline' : null);
    },
    job(job: Job): void {
      const { id, kind, state, connection, steps, error } = job;
      const notCompared = comparisonError(job);
      const step = steps.find(({ state: each }) => each === 'running')?.phase;
      writeChange(
        `job ${id}`,
        kind,
        state,
        step,
        connection === 'ok' ? null : `connection ${connection}`,
        error?.code,
        notCompared && `not compared: ${notCompared.code}`,
      );
    },
    /** Logs a failed request of the page. */
    failure(request: string, error: unknown): void {
      write('failed', request, describeError(error));
    },
    close(): void {
      process.off('uncaughtExceptionMonitor', uncaught);
      write('closed');
      isClosed = true;
    },
  };
}

/**
 * Returns the code of an AppError; else the class, the system's code and the stack's file names. Leaves out messages, which
 * may quote a path, a name or the contents of a file.
 */
function describeError(error: unknown): string {
  if (error instanceof AppError) return error.node ? `${error.code} rpc ${error.node.code}` : error.code;
  if (!(error instanceof Error)) return 'not an error';
  const code = systemCode(error);
  const frames = (error.stack ?? '')
    .split('\n')
    .map((frame) => FRAME.exec(frame))
    .flatMap((found) => (found ? [found[1] ?? ''] : []));
  return [error.constructor.name, ...(code ? [code] : []), ...frames].join(' ');
}

/** The file name, line and column at the end of a line of a stack, such as ` at run (/app/main.cjs:12:5)`. */
const FRAME = /^ {4}at .*?([\w.-]+:\d+:\d+)\)?$/;
