/** Reads and writes descriptor wallet files, which are SQLite databases of one table. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../shared/errors.ts';
import type { Network } from '../../shared/model.ts';
import { type ProblemLog, problemLog } from './problemLog.ts';
import type { FileProblem, RawRecord } from './rawRecord.ts';

export interface SqliteFile {
  /** In the order in which they were written. */
  records: RawRecord[];
  /** The network's magic bytes as a number, most significant first. */
  applicationId: number;
  /** Null when the application id is of none: then the file is not a wallet of Bitcoin Core. */
  network: Network | null;
  userVersion: number;
  problems: FileProblem[];
}

export interface SqliteReadOptions {
  /** `refuse` (the default) throws for a damaged file; `salvage` gives what can be read, and tells what not. */
  onDamage?: 'refuse' | 'salvage';
}

export interface LoadSqliteOptions {
  /** The bytes of `sql-wasm.wasm`, where it does not lie beside the package's code. */
  wasmBinary?: Uint8Array;
}

let loaded: Promise<SqlJsStatic> | null = null;

/** Makes SQLite ready. Only the first call counts; reading and writing call it themselves. */
export function loadSqlite(options: LoadSqliteOptions = {}): Promise<SqlJsStatic> {
  loaded ??= initSqlJs(
    options.wasmBinary ? { wasmBinary: Uint8Array.from(options.wasmBinary).buffer } : {},
  );
  return loaded;
}
