export { DevicesPage } from "./DevicesPage.tsx";
export { interfaceTitle } from "./deviceColumns.tsx";
export { stateShapes } from "./devices.ts";
export { ResourceIcon, StatusGlyph, type Shape } from "./Glyphs.tsx";
export { useNow } from "./useNow.ts";
