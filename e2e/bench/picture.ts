/** Draws the seconds of first jobs by the number of keys, the engine's and the node's. Both axes are logarithmic. */
import type { FirstJob } from './figures.ts';

/** An SVG picture. */
export function pictureOf(jobs: readonly FirstJob[]): string {
  const seconds = jobs.flatMap(({ engine, node }) => (node === null ? [engine] : [engine, node]));
  const x = axis(
    jobs.map(({ keys }) => keys),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(seconds, HEIGHT - BOTTOM, TOP);
  const line = (name: string, colour: string, points: readonly { keys: number; seconds: number }[]) => {
    const places = points.map((one) => `${x.at(one.keys).toFixed(1)},${y.at(one.seconds).toFixed(1)}`);
    const last = points.at(-1);
    return [
      `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map(
        (one) => `<circle cx="${x.at(one.keys)}" cy="${y.at(one.seconds)}" r="3" fill="${colour}"/>`,
      ),
      last && text(x.at(last.keys) + 8, y.at(last.seconds) + 4, name, 'start', colour),
    ];
  };
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...x.marks.flatMap((keys) => [
      `<line x1="${x.at(keys)}" x2="${x.at(keys)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" stroke="#ddd"/>`,
      text(x.at(keys), HEIGHT - BOTTOM + 18, keys.toLocaleString('en'), 'middle'),
    ]),
    ...y.marks.flatMap((second) => [
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(second)}" y2="${y.at(second)}" stroke="#ddd"/>`,
      text(LEFT - 8, y.at(second) + 4, `${second} s`, 'end'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, 'imported keys', 'middle'),
    ...line(
      'node',
      '#777',
      jobs.flatMap(({ keys, node }) => (node === null ? [] : [{ keys, seconds: node }])),
    ),
    ...line(
      'engine',
      '#c60',
      jobs.map(({ keys, engine }) => ({ keys, seconds: engine })),
    ),
  ];
  const size = `width="${WIDTH}" height="${HEIGHT}"`;
  const font = 'font-family="sans-serif" font-size="13"';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font}>\n${parts.filter(Boolean).join('\n')}\n</svg>\n`;
}

const WIDTH = 640;
const HEIGHT = 400;
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 70, 20, 50];

/** A logarithmic axis from one place to another, with marks at whole decades and at 2 and 5 times them. */
function axis(values: readonly number[], from: number, to: number) {
  const logs = values.length > 0 ? values.map(Math.log10) : [0];
  const lowest = Math.floor(Math.min(...logs));
  const highest = Math.max(lowest + 1, Math.ceil(Math.max(...logs)));
  const decades = Array.from({ length: highest - lowest + 1 }, (_, at) => lowest + at);
  return {
    at: (value: number) => from + ((Math.log10(value) - lowest) / (highest - lowest)) * (to - from),
    marks: decades.flatMap((decade) =>
      [1, 2, 5]
        .map((times) => Number((times * 10 ** decade).toPrecision(1)))
        .filter((mark) => mark <= 10 ** highest),
    ),
  };
}

function text(x: number, y: number, words: string, anchor: string, colour = '#333'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${words}</text>`;
}
