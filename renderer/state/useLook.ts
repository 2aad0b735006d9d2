/** What the app tells of a thing: asked for as soon as the page knows of which, and anew when the question is another. */
import { useEffect, useState } from 'react';
import type { Input, Output } from '../../shared/contract.ts';
import type { OperationName } from '../../shared/contractNames.ts';
import { bridge } from '../bridge.ts';
import { attempt } from './attempt.ts';
import type { Look } from './look.ts';

interface LookOptions {
  /** What tells the thing from others; the whole question, unless this is said. */
  of?: string;
  /** Another one looks at the same thing anew: it may have changed. */
  turn?: string | number;
}

/** Null asks for nothing, and forgets. An answer to an earlier question is dropped, however late it comes. */
export function useLook<N extends OperationName>(
  operation: N,
  input: Input<N> | null,
  { of, turn = 0 }: LookOptions = {},
): Look<Output<N>> {
  const asked = input === null ? null : JSON.stringify(input);
  const thing = of ?? asked;
  const question = `${turn} ${thing} ${asked}`;
  const [told, setTold] = useState<Told<Output<N>> | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const sent: Input<N> = JSON.parse(asked);
    let wanted = true;
    void attempt(() => bridge.call(operation, sent)).then((result) => {
      if (!wanted) return;
      const look = result.ok
        ? ({ state: 'known', found: result.value } as const)
        : ({ state: 'failed', error: result.error } as const);
      setTold({ thing, question, look });
    });
    return () => {
      wanted = false;
    };
  }, [operation, asked, thing, question]);
  if (asked === null) {
    if (told !== null) setTold(null);
    return { state: 'none' };
  }
  if (told?.question === question) return told.look;
  const before = told?.thing === thing && told.look.state === 'known' ? told.look.found : null;
  return { state: 'looking', before };
}

interface Told<Found> {
  thing: string | null;
  question: string;
  look: Extract<Look<Found>, { state: 'known' | 'failed' }>;
}
