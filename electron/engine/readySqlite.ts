/** Makes SQLite ready from this bundle: a package holds no other file to load it from. */
import binary from 'sql.js/dist/sql-wasm.wasm?url&inline';
import { loadSqlite } from '../wallet/sqlite.ts';

/** Call it before the first wallet is read. */
export async function readySqlite(): Promise<void> {
  const base64 = binary.slice(binary.indexOf(',') + 1);
  await loadSqlite({ wasmBinary: Buffer.from(base64, 'base64') });
}
