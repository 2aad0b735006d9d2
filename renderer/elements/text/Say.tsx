/** A text with elements in it, in the language the app speaks. */
import { createElement, Fragment, type ReactNode } from 'react';
import { sayParts } from '../../../shared/text/say.ts';

interface SayProps {
  /** As for `say`: `{name}` is where the value of that name stands. */
  text: string;
  values: Readonly<Record<string, ReactNode>>;
}

export function Say({ text, values }: SayProps) {
  // As children, not as a list: their order is that of the text and needs no keys.
  return createElement(Fragment, null, ...sayParts<ReactNode>(text, values));
}
