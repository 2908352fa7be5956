import i18next from "i18next";
import { ApiError } from "#lib/call";
import { enterBy } from "#lib/entry";
import { reloadAt, storedToken } from "#lib/token";
import { snack } from "#ui/snackbar";
import { setLoginNotice } from "../loginNotice.ts";

/**
 * Redeems the entry code with which the page was opened. If refused, the session of the staff member is kept
 * and the reason shown; without a session the login page explains where the link works.
 */
export async function enter(code: string): Promise<boolean> {
  if (storedToken() === null) {
    setLoginNotice(i18next.t("common:entry.noSession"));
    return false;
  }
  try {
    await enterBy(code);
    return true;
  } catch (error) {
    const msg = error instanceof ApiError ? error.msg : null;
    snack({ kind: "error", text: msg ?? i18next.t("common:error.offline") });
    return false;
  }
}

/** The same in an open page. */
export async function enterFromHere(code: string): Promise<void> {
  if (await enter(code)) reloadAt("#/cloud");
}
