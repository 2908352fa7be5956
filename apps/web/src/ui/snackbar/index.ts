export {
  createSnackQueue,
  snack,
  snackMs,
  snackQueue,
  type Snack,
  type SnackInput,
  type SnackKind,
} from "./queue.ts";
export { snackHistory, type Said } from "./history.ts";
export { messageText, say } from "./say.ts";
export { Snackbars } from "./Snackbars.tsx";
