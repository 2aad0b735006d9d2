/** Writes answers as JSON the way a node does: amounts are exact, with eight decimals. */

/** What was written as JSON already, where the wallet is open: a large answer is not taken apart and written again. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

/** What an answer is made of. A bigint is an amount in satoshi; members that are undefined are left out. */
export type RpcValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | WrittenJson
  | readonly RpcValue[]
  | { readonly [name: string]: RpcValue | undefined };

/** `859997180n` becomes `8.59997180`, which JSON.stringify could not write: it would drop the zero. */
export function writeRpcJson(value: RpcValue): string {
  if (typeof value === 'bigint') return bitcoinText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof WrittenJson) return value.text;
  if (isList(value)) return `[${value.map(writeRpcJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeRpcJson(member)}`],
  );
  return `{${members.join(',')}}`;
}

const SATOSHI_PER_BITCOIN = 100_000_000n;

function bitcoinText(satoshi: bigint): string {
  const absolute = satoshi < 0n ? -satoshi : satoshi;
  const decimals = (absolute % SATOSHI_PER_BITCOIN).toString().padStart(8, '0');
  return `${satoshi < 0n ? '-' : ''}${absolute / SATOSHI_PER_BITCOIN}.${decimals}`;
}

function isList(value: object): value is readonly RpcValue[] {
  return Array.isArray(value);
}
