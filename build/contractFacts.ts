/** Facts of the contract that the build inserts into the page and its preload script, which then load neither shapes nor zod. */
import { z } from 'zod';
import type { SatoshiPlaces } from '../renderer/state/contractFacts.ts';
import { events, isRequestName, type RequestName, requests } from '../shared/contract.ts';
import { satoshi } from '../shared/model/money.ts';

const requestNames = Object.keys(requests).filter(isRequestName);

/** For the bundler's `define`. */
export const contractFacts = {
  REQUEST_NAMES: JSON.stringify(requestNames),
  EVENT_NAMES: JSON.stringify(Object.keys(events)),
  FILE_TASKS: JSON.stringify(requestNames.filter(isFileTask)),
  SATOSHI_OF_OUTPUTS: JSON.stringify(placesByName(requestNames.map((name) => [name, requests[name].output]))),
  SATOSHI_OF_EVENTS: JSON.stringify(placesByName(Object.entries(events))),
};

function isFileTask(name: RequestName): boolean {
  const { input } = requests[name];
  return 'shape' in input && 'task' in input.shape && name !== 'tasks.cancel';
}

function placesByName(shapes: readonly (readonly [string, z.ZodType])[]): Record<string, SatoshiPlaces> {
  return Object.fromEntries(
    shapes.flatMap(([name, shape]) => {
      const places = satoshiPlaces(shape);
      return places === null ? [] : [[name, places]];
    }),
  );
}

/** Where values of this shape hold satoshi; null if nowhere. Throws if the page could mistake a text for satoshi. */
export function satoshiPlaces(shape: unknown): SatoshiPlaces | null {
  return onlySatoshi(contentOf(shape));
}

/** What the wire has in a place: satoshi, another text, an object or a list of them; null: neither. */
type Content = 'satoshi' | 'text' | { readonly [field: string]: Content } | null;

function contentOf(shape: unknown): Content {
  if (shape === satoshi) return 'satoshi';
  if (shape instanceof z.ZodString || shape instanceof z.ZodEnum || shape instanceof z.ZodLiteral)
    return 'text';
  if (shape instanceof z.ZodArray) return contentOf(shape.element);
  if (shape instanceof z.ZodUnion) return shape.options.map(contentOf).reduce(either, null);
  if (shape instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(shape.shape).map(([field, of]) => [field, contentOf(of)]));
  if (
    shape instanceof z.ZodOptional ||
    shape instanceof z.ZodNullable ||
    shape instanceof z.ZodDefault ||
    shape instanceof z.ZodReadonly
  )
    return contentOf(shape.unwrap());
  if (shape instanceof z.ZodRecord && satoshiPlaces(shape.valueType) !== null)
    throw new Error('Satoshi are in fields of any name.');
  return null;
}

function either(one: Content, other: Content): Content {
  if (one === null || other === null || one === other) return one ?? other;
  if (typeof one === 'string' || typeof other === 'string') {
    if (onlySatoshi(one) ?? onlySatoshi(other)) throw new Error('Some values of this place are not satoshi.');
    return 'text';
  }
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...fields].map((field) => [field, either(one[field] ?? null, other[field] ?? null)]),
  );
}

function onlySatoshi(content: Content): SatoshiPlaces | null {
  if (content === 'satoshi') return true;
  if (content === null || content === 'text') return null;
  const fields = Object.entries(content).flatMap(([field, of]) => {
    const places = onlySatoshi(of);
    return places === null ? [] : [[field, places] as const];
  });
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
