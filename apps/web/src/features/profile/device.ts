/** Program and system of a session, from its user agent. */
export interface Device {
  readonly program: string | null;
  readonly system: string | null;
  readonly isPhone: boolean;
}

/** In this order: later ones include the names of earlier ones. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^python-requests\/|^Python-urllib\//, "Python"],
  [/^PostmanRuntime\//, "Postman"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

export function deviceOf(agent: string | null): Device {
  const text = agent ?? "";
  const find = (list: typeof programs) => list.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  return {
    program: find(programs),
    system: find(systems),
    isPhone: /\bMobile\b|\biPhone\b|\bAndroid\b/.test(text),
  };
}
