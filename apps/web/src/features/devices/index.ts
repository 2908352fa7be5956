import { lazily } from "#lib/load";

export { DevicesPage } from "./DevicesPage.tsx";
export type { Moved } from "./ReplaceDialog.tsx";

/** Moves devices behind a gateway to another. */
export const ReplaceDialog = lazily(async () => ({
  default: (await import("./ReplaceDialog.tsx")).ReplaceDialog,
}));
