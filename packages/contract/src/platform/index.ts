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
  type AccentTones,
  type BrandAccent,
  contrast,
  fitAccent,
  isColour,
  leastContrast,
} from "./brandAccent.ts";
export {
  type DesignFile,
  type DesignPicture,
  type OwnDesign,
  designBounds,
  designCode,
  designFiles,
  designPictures,
  shell,
} from "./shell.ts";
export { SimulatedPark, mostSimulated, simulation } from "./simulation.ts";
