/** Words for the coin of a wallet that is not certainly Bitcoin. */
import type { InspectedCoin } from '../../model/coin.ts';
import { oneOf } from '../format/perRegion.ts';
import { say } from '../say.ts';
import { asSentence } from './hints.ts';

/** `It holds Dash, not bitcoin`, or that the coin is uncertain. */
export function coinTitle({ verdict, coins }: InspectedCoin): string {
  return verdict === 'other'
    ? say('It holds {coins}, not bitcoin', { coins: coinNames(coins, say('another coin')) })
    : say('Its coin is uncertain');
}

/** `Dash`, for a card. */
export function coinName({ coins }: InspectedCoin): string {
  return coinNames(coins, say('another coin'));
}

/** The evidence, a sentence each. */
export function coinEvidence({ evidence }: InspectedCoin): string[] {
  if (evidence.length === 0) return [say('The file does not say.')];
  return evidence.map(evidenceSentence);
}

function evidenceSentence({ by, coins: fitting }: InspectedCoin['evidence'][number]): string {
  const coins = coinNames(fitting, fitting.length === 0 ? say('no known coin') : say('several coins'));
  switch (by) {
    case 'genesis-block':
      return say('First block: {coins}.', { coins });
    case 'addresses':
      return say('Addresses: {coins}.', { coins });
    case 'records':
      return say('Records: {coins}.', { coins });
    case 'client':
      return say('Last written by: {coins}.', { coins });
  }
}

/** What to do with a wallet of another coin. */
export function coinAdvice({ programs }: InspectedCoin): string {
  return programs.length === 0 || programs.length > MOST_NAMED
    ? say('Open it in its program.')
    : openIn(oneOf(programs));
}

/** Title, evidence and advice, a sentence each. */
export function coinSentences(coin: InspectedCoin): string[] {
  return [
    asSentence(coinTitle(coin)),
    ...coinEvidence(coin),
    ...(coin.verdict === 'other' ? [coinAdvice(coin)] : []),
  ];
}

/** Advice for a file of another program. */
export function openIn(program: string): string {
  return say('Open it in {program}.', { program });
}

const MOST_NAMED = 4;

function coinNames(coins: readonly string[], otherwise: string): string {
  return coins.length === 0 || coins.length > MOST_NAMED ? otherwise : oneOf(coins);
}
