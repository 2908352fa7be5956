export { DirectoryTabs } from "./DirectoryTabs.tsx";
