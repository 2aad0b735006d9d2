import { describe, expect, it } from 'vitest';
import { addSample, type Sample, secondsLeft } from './timeLeft.ts';

const samplesOf = (...samples: [at: number, done: number][]) =>
  samples.reduce<readonly Sample[]>((all, [at, done]) => addSample(all, { at, done }), []);

describe('secondsLeft', () => {
  it('foretells the end of steady work, and counts down between samples', () => {
    const samples = samplesOf([0, 0.1], [60, 0.2], [120, 0.3]);
    expect(secondsLeft(samples, 120)).toBeCloseTo(420);
    expect(secondsLeft(samples, 150)).toBeCloseTo(390);
    expect(secondsLeft(samples, 9999)).toBe(0);
  });

  it('says nothing before there are three samples over twenty seconds', () => {
    expect(secondsLeft([], 0)).toBeNull();
    expect(secondsLeft(samplesOf([0, 0.1], [60, 0.2]), 60)).toBeNull();
    expect(secondsLeft(samplesOf([0, 0.1], [6, 0.2], [12, 0.3]), 12)).toBeNull();
    expect(secondsLeft(samplesOf([0, 0.1], [10, 0.2], [20, 0.3]), 20)).toBeCloseTo(70);
  });

  it('says nothing while the foretold end jumps', () => {
    expect(secondsLeft(samplesOf([0, 0.1], [60, 0.5], [120, 0.52]), 120)).toBeNull();
    expect(secondsLeft(samplesOf([0, 0.1], [60, 0.11], [120, 0.4]), 120)).toBeNull();
  });

  it('says nothing while nothing moves', () => {
    expect(secondsLeft(samplesOf([0, 0.4], [60, 0.4], [120, 0.4]), 120)).toBeNull();
  });

  it('begins to tell once work that became slower is steady again', () => {
    const slowing: [number, number][] = [
      [0, 0],
      [60, 0.3],
      [120, 0.32],
    ];
    expect(secondsLeft(samplesOf(...slowing), 120)).toBeNull();
    const steady = Array.from({ length: 12 }, (_, n): [number, number] => [180 + n * 60, 0.34 + n * 0.02]);
    expect(secondsLeft(samplesOf(...slowing, ...steady), 840)).toBeCloseTo(1320);
  });
});

describe('addSample', () => {
  it('begins anew when another rescan begins', () => {
    expect(samplesOf([0, 0.5], [60, 0.9], [120, 0])).toEqual([{ at: 120, done: 0 }]);
  });

  it('leaves out samples that come too close, and keeps the newest twelve', () => {
    expect(samplesOf([0, 0.1], [1, 0.2], [4.9, 0.3], [5, 0.4])).toEqual([
      { at: 0, done: 0.1 },
      { at: 5, done: 0.4 },
    ]);
    const many = samplesOf(...Array.from({ length: 100 }, (_, n): [number, number] => [n * 60, n / 100]));
    expect(many).toHaveLength(12);
    expect(many.at(-1)).toEqual({ at: 5940, done: 0.99 });
  });
});
