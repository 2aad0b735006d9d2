import { describe, expect, it } from 'vitest';
import { cssVariablesResolver, theme } from './theme.ts';

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const resolved = cssVariablesResolver({} as Parameters<typeof cssVariablesResolver>[0]);
/** The filled shade of the accent, which Mantine also uses for selected tabs and focused fields. */
const filled = (shade: number) => theme.colors?.ferry?.[shade] ?? '';
const { light, dark } = Object(theme.primaryShade);
const schemes = {
  light: { ...resolved.light, text: theme.black ?? '', field: '#ffffff', filled: filled(light) },
  dark: {
    ...resolved.dark,
    text: theme.colors?.dark?.[0] ?? '',
    field: theme.colors?.dark?.[6] ?? '',
    filled: filled(dark),
  },
};

describe.each(['light', 'dark'] as const)('the %s theme', (scheme) => {
  const colours: Record<string, string> = schemes[scheme];
  const of = (name: string) =>
    colours[name] ?? colours[`--ferry-${name}`] ?? colours[`--mantine-color-${name}`] ?? '';

  it('has text with a contrast of at least 4.5:1 on every background', () => {
    const grounds = ['body', 'card', 'side', 'quote'];
    for (const ground of grounds) {
      for (const text of ['text', 'dimmed', 'error']) {
        expect(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    for (const tone of ['info', 'read', 'danger', 'good']) {
      const ground = of(`${tone}-surface`);
      for (const text of ['text', 'dimmed', `${tone}-text`]) {
        expect(contrast(of(text), ground), `${text} on ${tone}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(of('placeholder'), of('card'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('ferry-light-color'), of('ferry-light'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of('ferry-light-color'), of('card'))).toBeGreaterThanOrEqual(4.5);
  });

  it('draws the parts of a balance with at least 3:1', () => {
    for (const ground of ['quote', 'card'])
      for (const part of ['focus', 'read-text', 'dimmed'])
        expect(contrast(of(part), of(ground)), `${part} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  it('draws fields, filled controls, selected tabs and focus with at least 3:1', () => {
    for (const ground of ['body', 'card', 'side', 'field'])
      for (const part of ['default-border', 'filled', 'focus'])
        expect(contrast(of(part), of(ground)), `${part} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  it('draws the marks of the sidebar with at least 3:1', () => {
    for (const ground of ['side', 'ferry-light'])
      for (const tone of ['read', 'danger', 'good'])
        expect(contrast(of(`${tone}-text`), of(ground)), `${tone} on ${ground}`).toBeGreaterThanOrEqual(3);
  });

  it('shows white on filled controls with at least 4.5:1', () => {
    expect(contrast('#ffffff', of('filled'))).toBeGreaterThanOrEqual(4.5);
  });
});
