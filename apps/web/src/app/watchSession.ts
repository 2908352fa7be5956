import i18next from "i18next";
import { onApiError } from "#lib/call";
import { onSessionEnd, watchOtherTabs } from "#lib/token";
import { closeAllDialogs } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { forgetReturn, rememberReturn } from "./address.ts";
import { sayFarewell } from "./farewell.ts";
import type { AppRouter } from "./routes.tsx";

/** What happens to the screen when the session ends, here or in another tab, and when a call fails. */
export function watchSession(app: AppRouter): void {
  onSessionEnd((reason) => {
    if (reason === "signedOut") forgetReturn();
    if (reason === "expired") {
      sayFarewell(i18next.t("error.sessionEnded"));
      rememberReturn(app.state.location.href);
    }
    leave(app);
  });
  watchOtherTabs();
  onApiError(({ status, msg }) => {
    snack({ kind: "error", text: msg ?? i18next.t(status === 0 ? "error.offline" : "error.generic") });
  });
}

function leave(app: AppRouter): void {
  closeAllDialogs();
  if (app.state.location.pathname.startsWith("/cloud"))
    void app.navigate({ to: "/auth/login", replace: true });
}
