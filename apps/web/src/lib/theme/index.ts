export { densities, isDensity, setDensity, storedDensity, type Density } from "./density.ts";
export { isTheme, setTheme, storedTheme, themes, watchSystemTheme, type Theme } from "./theme.ts";
export { tokenOf, useThemeVersion } from "./canvas.ts";
