/** One theme of a brand: the accent, text on it, and the selected row. Each is "#rrggbb". */
export interface AccentTones {
  readonly accent: string;
  readonly on_accent: string;
  readonly selected: string;
}

/**
 * An accent in both themes. `is_moved`: the requested colour had too little contrast in at least one of them.
 */
export interface BrandAccent {
  readonly light: AccentTones;
  readonly dark: AccentTones;
  readonly is_moved: boolean;
}

type Rgb = readonly [number, number, number];

/** Contrast required of text on every surface: WCAG 2.2 AA. */
export const leastContrast = 4.5;

/** Surfaces of the design tokens, and the direction in which the tone is adjusted. */
const themes = {
  light: { surfaces: ["#f2f5f4", "#ffffff", "#f7f9f8"], panel: "#ffffff", share: 0.12, towards: "#000000" },
  dark: { surfaces: ["#0d1312", "#141c1a", "#101716"], panel: "#141c1a", share: 0.18, towards: "#ffffff" },
} as const;

/** Text colour on the accent: dark or light, whichever has the higher contrast. */
const inks = ["#ffffff", "#06201d"] as const;

/** Whether a text is a colour of the form "#rrggbb". */
export function isColour(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text);
}

/**
 * The requested accent, or in each theme the nearest tone with sufficient contrast on every surface. Takes
 * "#rrggbb".
 */
export function fitAccent(wished: string): BrandAccent {
  const [light, dark] = [nearest(wished, "light"), nearest(wished, "dark")];
  const is_moved = [light, dark].some(({ accent }) => accent !== wished.toLowerCase());
  return { light, dark, is_moved };
}

function nearest(wished: string, theme: keyof typeof themes): AccentTones {
  const { surfaces, panel, share, towards } = themes[theme];
  for (let percent = 0; percent <= 100; percent += 1) {
    const accent = mix(towards, wished, percent / 100);
    const selected = mix(accent, panel, share);
    const on_accent = contrast(accent, inks[0]) >= contrast(accent, inks[1]) ? inks[0] : inks[1];
    const isRead =
      [...surfaces, selected].every((each) => contrast(accent, each) >= leastContrast) &&
      contrast(accent, on_accent) >= leastContrast;
    if (isRead) return { accent, on_accent, selected };
  }
  throw new Error(`no tone of ${wished} can be read`);
}

/** Contrast ratio of two colours: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance(colour: string): number {
  const [r, g, b] = rgbOf(colour);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

/** Mixes `share` of one colour into the other. */
function mix(over: string, under: string, share: number): string {
  const [a, b] = [rgbOf(over), rgbOf(under)];
  const channels = a.map((each, at) => Math.round(each * share + (b[at] ?? 0) * (1 - share)));
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

function rgbOf(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
