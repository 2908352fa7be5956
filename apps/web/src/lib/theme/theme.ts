export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "metrum.theme";
const dark = "(prefers-color-scheme: dark)";

export function isTheme(value: unknown): value is Theme {
  return themes.some((each) => each === value);
}

export function storedTheme(): Theme {
  const stored = localStorage.getItem(key);
  return isTheme(stored) ? stored : "system";
}

/** Stored in this browser as well, so that public/theme.js can apply it before the first paint. */
export function setTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  apply();
}

/** Follows the system while that is the choice. Ends with the page. */
export function watchSystemTheme(): void {
  matchMedia(dark).addEventListener("change", apply);
}

function apply(): void {
  const theme = storedTheme();
  const isDark = theme === "dark" || (theme === "system" && matchMedia(dark).matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}
