export { isTheme, setTheme, storedTheme, themes, watchSystemTheme, type Theme } from "./theme.ts";
