export {
  Health,
  Letter,
  PlatformUser,
  administration,
  leastFreeBytes,
  letterStates,
  platformUserSortFields,
} from "./administration.ts";
export {
  contrast,
  fitAccent,
  isColour,
  leastContrast,
  type AccentTones,
  type BrandAccent,
} from "./brandAccent.ts";
export {
  designBounds,
  designCode,
  designFiles,
  designPictures,
  shell,
  type DesignFile,
  type DesignPicture,
  type OwnDesign,
} from "./shell.ts";
export { SimulatedPark, mostSimulated, simulation } from "./simulation.ts";
