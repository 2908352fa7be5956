import i18next from "i18next";
import { onApiError } from "#lib/call";
import { onSessionEnd, watchOtherTabs } from "#lib/token";
import { closeAllDialogs } from "#ui/dialog";
import { snack } from "#ui/snackbar";
import { forgetReturn, rememberReturn } from "./address.ts";
import { setLoginNotice } from "./loginNotice.ts";
import type { AppRouter } from "./routes.tsx";

/** Reactions of the screen when the session ends, here or in another tab, and when a call fails. */
export function watchSession(app: AppRouter): void {
  onSessionEnd((reason) => {
    if (reason === "signedOut") forgetReturn();
    if (reason === "expired") {
      setLoginNotice(i18next.t("error.sessionEnded"));
      rememberReturn(app.state.location.href);
    }
    leave(app);
  });
  watchOtherTabs();
  onApiError(({ status, msg, code }) => {
    // The company has begun to require a duty while the session was open.
    if (code === "password_change_needed" || code === "two_factor_needed") {
      // Loaded on demand: the sign-in page does not need the query cache.
      void import("./guardDuty.ts").then(({ askAgain }) => {
        askAgain();
        return app.navigate({ to: "/duty", replace: true });
      });
      return;
    }
    if (code === "part_missing") {
      const reload = { title: i18next.t("crash.reload"), run: () => location.reload() };
      snack({ kind: "error", text: i18next.t("error.outdated"), action: reload });
      return;
    }
    snack({ kind: "error", text: msg ?? i18next.t(status === 0 ? "error.offline" : "error.generic") });
  });
}

function leave(app: AppRouter): void {
  closeAllDialogs();
  if (/^\/(cloud|duty)\b/.test(app.state.location.pathname))
    void app.navigate({ to: "/auth/login", replace: true });
}
