/** SQLite itself, in memory: made ready once, and a database for a piece of work. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../../shared/errors.ts';

/** The one table of a wallet. */
export const WALLET_TABLE = 'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)';

/**
 * Makes SQLite ready: of a module that was compiled before, which threads can share, or else of its own file. Only the
 * first call counts; reading and writing make it themselves.
 */
export function loadSqlite(compiled?: WebAssembly.Module): Promise<SqlJsStatic> {
  loaded ??= initSqlJs(compiled ? { instantiateWasm: instantiator(compiled) } : {});
  return loaded;
}

let loaded: Promise<SqlJsStatic> | null = null;

function instantiator(compiled: WebAssembly.Module) {
  return (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(compiled, imports);
    done(instance);
    return instance.exports;
  };
}

/** `failed` is the error for whatever SQLite itself throws. */
export async function withDatabase<T>(
  file: Uint8Array | null,
  failed: () => AppError,
  work: (database: Database) => T,
): Promise<T> {
  const { Database } = await loadSqlite();
  let database: Database | null = null;
  try {
    database = new Database(file);
    return work(database);
  } catch (error) {
    // After a trap the instance is of no use any more; the next call makes a new one.
    if (error instanceof WebAssembly.RuntimeError) loaded = null;
    throw error instanceof AppError ? error : failed();
  } finally {
    if (loaded) database?.close();
  }
}
