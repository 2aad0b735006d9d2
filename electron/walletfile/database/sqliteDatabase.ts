/** SQLite itself, in memory: made ready when it is first needed, and a database for a piece of work. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../../shared/model/errors.ts';

/** The one table of a wallet. */
export const WALLET_TABLE = 'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)';

/** SQLite, which reading and writing make ready themselves. */
export function loadSqlite(): Promise<SqlJsStatic> {
  loaded ??= load();
  return loaded;
}

/** Has it made of a module that `compile` gives, where it is needed at all; else it is made of its own file. */
export function takeSqliteFrom(compile: () => Promise<WebAssembly.Module>): void {
  compiledBy = compile;
}

let loaded: Promise<SqlJsStatic> | null = null;
let compiledBy: (() => Promise<WebAssembly.Module>) | null = null;

async function load(): Promise<SqlJsStatic> {
  return initSqlJs(compiledBy ? { instantiateWasm: instantiator(await compiledBy()) } : {});
}

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
