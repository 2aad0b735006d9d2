/** What the page knows of the contract's shapes. The build inserts it, so that the page loads neither the shapes nor zod. */
import type { EventName, FileTaskName, RequestName } from '../../shared/contract.ts';

/** Where a value holds satoshi: itself, or in some of its fields. A list has the places of its items. */
export type SatoshiPlaces = true | { readonly [field: string]: SatoshiPlaces };

// See `build/contractFacts.ts`.
declare const FILE_TASKS: readonly string[];
declare const SATOSHI_OF_OUTPUTS: { readonly [N in RequestName]?: SatoshiPlaces };
declare const SATOSHI_OF_EVENTS: { readonly [N in EventName]?: SatoshiPlaces };

const fileTasks: ReadonlySet<string> = new Set(FILE_TASKS);
const ofOutputs = SATOSHI_OF_OUTPUTS;
const ofEvents = SATOSHI_OF_EVENTS;

export function isFileTask(name: RequestName): name is FileTaskName {
  return fileTasks.has(name);
}

/** The output of a request as the back end sent it, with satoshi as bigint. */
export function decodedOutput(name: RequestName, value: unknown): unknown {
  return withSatoshi(value, ofOutputs[name]);
}

/** The same of an event. */
export function decodedEvent(name: EventName, value: unknown): unknown {
  return withSatoshi(value, ofEvents[name]);
}

function withSatoshi(value: unknown, places: SatoshiPlaces | undefined): unknown {
  if (places === undefined) return value;
  if (places === true) return typeof value === 'string' ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => withSatoshi(item, places));
  if (typeof value !== 'object' || value === null) return value;
  const decoded: Record<string, unknown> = { ...value };
  for (const [field, inner] of Object.entries(places))
    if (field in decoded) decoded[field] = withSatoshi(decoded[field], inner);
  return decoded;
}
