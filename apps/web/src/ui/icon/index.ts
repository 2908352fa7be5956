export { Icon, ResourceIcon } from "./Icon.tsx";
export { iconPaths, type IconName } from "./paths.ts";
