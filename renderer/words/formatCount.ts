/** Whole numbers (blocks, wallets, transactions) as they are read: `850,000`. */
const FORMAT = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  return FORMAT.format(count);
}

/** `1 wallet`, `2 wallets`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
