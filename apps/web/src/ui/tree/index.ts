export { checkStates, toggleCheck, type Checked, type CheckState } from "./checks.ts";
export { rowsOf, type TreeNode, type TreeRow } from "./rows.ts";
export { Tree } from "./Tree.tsx";
