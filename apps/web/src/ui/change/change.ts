import type { Call } from "@metrum/contract/core";
import i18next from "i18next";
import { ApiError, refetch } from "#lib/call";
import { snack } from "#ui/snackbar";

interface Plan {
  /** Calls whose answers the change makes old. */
  readonly refreshed: readonly Call[];
  /** The way back, offered with the message. */
  readonly undo?: (() => void) | undefined;
}

/** Makes a change, shows the message of the server and refreshes. False when refused, which the call reports. */
export async function change(
  run: () => Promise<{ readonly msg: string }>,
  { refreshed, undo }: Plan,
): Promise<boolean> {
  try {
    const { msg: text } = await run();
    if (undo) snack({ kind: "undo", text, action: { title: i18next.t("common:snackbar.undo"), run: undo } });
    else if (text !== "") snack(text);
  } catch (error) {
    return refusedBy(error);
  }
  await refetch(...refreshed);
  return true;
}

/** False for a refusal, which the call has reported; any other error is a bug. */
function refusedBy(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}
