export { ObjectTabs } from "./ObjectTabs.tsx";
