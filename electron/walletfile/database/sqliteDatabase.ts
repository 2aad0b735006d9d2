/** SQLite itself, in memory. It is loaded on first use. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../../shared/model/errors.ts';

/** The only table of a wallet. */
export const WALLET_TABLE = 'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)';

/** Reading and writing call this themselves. */
export function loadSqlite(): Promise<SqlJsStatic> {
  loaded ??= load();
  return loaded;
}

/** Makes the first use load the module that `compile` returns, instead of the library's own file. */
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

/** Runs `work` on a database, and closes it. `failed`: makes the error to throw in place of SQLite's. */
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
    // A trap leaves the instance unusable. The next call makes a new one.
    if (error instanceof WebAssembly.RuntimeError) loaded = null;
    throw error instanceof AppError ? error : failed();
  } finally {
    if (loaded) database?.close();
  }
}
