/** Colours, type and the habits of components: calm, native, one accent, readable in light and dark. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The accent. White on shade 6 reads at 5.6:1, shade 4 on the dark ground at 7:1. */
const ferry: MantineColorsTuple = [
  '#eef7f9',
  '#dcecf0',
  '#b7d8e0',
  '#8cc2cf',
  '#66adbf',
  '#3f8ea4',
  '#1d6f85',
  '#175d70',
  '#124b5b',
  '#0c3846',
];

/** Mantine's grounds and greys of the dark theme, a little towards the accent; 2 is dimmed text (7:1 on 7). */
const dark: MantineColorsTuple = [
  '#dbe1e5',
  '#bcc5cb',
  '#a1acb4',
  '#7f8b94',
  '#414b53',
  '#30393f',
  '#22292e',
  '#191f23',
  '#13181b',
  '#0e1214',
];

const FONT =
  'system-ui, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';

export const theme = createTheme({
  colors: { ferry, dark },
  primaryColor: 'ferry',
  primaryShade: { light: 6, dark: 6 },
  black: '#1b2226',
  fontFamily: FONT,
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontFamily: FONT,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  // Names, paths and addresses: nothing that a dictionary or the browser knows.
  components: {
    TextInput: { defaultProps: { autoCapitalize: 'off', autoComplete: 'off', spellCheck: false } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
});

/**
 * Text on `surface` reads at 4.5:1 or more, and borders of fields stand out at 3:1 or more, in both themes. Each tone
 * of a notice has a ground (surface), a border (line) and a colour for its icon and words (text).
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8f8',
    '--mantine-color-dimmed': '#55626a',
    '--mantine-color-placeholder': '#66727a',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#7f8b92',
    '--mantine-color-disabled-color': '#66727a',
    '--mantine-color-ferry-light': '#dfeef2',
    '--mantine-color-ferry-light-hover': '#cfe5eb',
    '--mantine-color-ferry-light-color': '#12505f',
    '--ferry-card': '#ffffff',
    '--ferry-side': '#eaf0f1',
    '--ferry-line': '#d5dde0',
    '--ferry-quote': '#eef2f3',
    '--ferry-hover': '#edf2f3',
    '--ferry-focus': '#1d6f85',
    '--ferry-info-surface': '#e6f2f5',
    '--ferry-info-line': '#b3d5de',
    '--ferry-info-text': '#155e71',
    '--ferry-read-surface': '#fff4dc',
    '--ferry-read-line': '#e8c878',
    '--ferry-read-text': '#7a4d00',
    '--ferry-danger-surface': '#fdecea',
    '--ferry-danger-line': '#efb4ae',
    '--ferry-danger-text': '#a81e16',
    '--ferry-good-surface': '#e6f4ea',
    '--ferry-good-line': '#a9d6b6',
    '--ferry-good-text': '#1b6332',
  },
  dark: {
    '--mantine-color-dimmed': '#a1acb4',
    '--mantine-color-placeholder': '#919ca5',
    '--mantine-color-error': '#ff9a91',
    '--mantine-color-default-border': '#6b7780',
    '--mantine-color-disabled-color': '#919ca5',
    '--mantine-color-ferry-light': '#1c414c',
    '--mantine-color-ferry-light-hover': '#234f5c',
    '--mantine-color-ferry-light-color': '#b7e0ea',
    '--ferry-card': '#20272b',
    '--ferry-side': '#141a1d',
    '--ferry-line': '#384248',
    '--ferry-quote': '#171d20',
    '--ferry-hover': '#283036',
    '--ferry-focus': '#8cc2cf',
    '--ferry-info-surface': '#17313a',
    '--ferry-info-line': '#2b5664',
    '--ferry-info-text': '#9fd3e0',
    '--ferry-read-surface': '#372b10',
    '--ferry-read-line': '#6f5618',
    '--ferry-read-text': '#f3c968',
    '--ferry-danger-surface': '#3c1d1b',
    '--ferry-danger-line': '#7c3a35',
    '--ferry-danger-text': '#ffaba3',
    '--ferry-good-surface': '#17301f',
    '--ferry-good-line': '#2f5f3f',
    '--ferry-good-text': '#94d9aa',
  },
});
