/** SQLite itself, in memory. It is loaded on first use, from the bundle in the app: a package has no separate file to load. */
import initSqlJs, { type Database, type SqlJsStatic } from 'sql.js';
import { AppError } from '../../../shared/model/errors.ts';

/** The only table of a wallet. */
export const WALLET_TABLE = 'CREATE TABLE main(key BLOB PRIMARY KEY NOT NULL, value BLOB NOT NULL)';

/** Reading and writing call this themselves. */
export function loadSqlite(): Promise<SqlJsStatic> {
  loaded ??= load();
  return loaded;
}

let loaded: Promise<SqlJsStatic> | null = null;
/** Whether the module comes from the bundle, instead of the library's own file. */
let isBundled = false;

async function load(): Promise<SqlJsStatic> {
  return initSqlJs(isBundled ? { instantiateWasm: instantiator(await compiledSqlite()) } : {});
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

/**
 * Call this before reading the first wallet. SQLite is compiled on first use. `compiled`: the module that `compiledSqlite`
 * returned in another thread; threads that share it also share its machine code.
 */
export function registerBundledSqlite(compiled?: WebAssembly.Module): void {
  shared = compiled;
  isBundled = true;
}

/** SQLite's compiled module, for this thread and others. */
export function compiledSqlite(): Promise<WebAssembly.Module> {
  own ??= shared ? Promise.resolve(shared) : compile();
  return own;
}

/** The module if this thread has needed it so far; else null. */
export function sqliteModuleIfCompiled(): Promise<WebAssembly.Module> | null {
  return own;
}

async function compile(): Promise<WebAssembly.Module> {
  // 0.9 MB, which most threads never need.
  const { default: binary } = await import('sql.js/dist/sql-wasm.wasm?url&inline');
  return WebAssembly.compile(Buffer.from(binary.slice(binary.indexOf(',') + 1), 'base64'));
}

let shared: WebAssembly.Module | undefined;
let own: Promise<WebAssembly.Module> | null = null;
