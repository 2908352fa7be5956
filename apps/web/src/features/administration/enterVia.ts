import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { administration } from "@metrum/contract/platform";
import { ApiError, send } from "#lib/call";
import { enterBy } from "#lib/entry";
import { reloadAt } from "#lib/token";
import { snack } from "#ui/snackbar";

type Way = typeof administration.enterCompany | typeof administration.enterUser;

export type Entering = ReturnType<typeof useEntering>;

/** Requests a code, redeems it at once and reloads the page inside. The id is that of a click in progress. */
export function useEntering(way: Way) {
  const { t } = useTranslation("common");
  const [enteringId, setEnteringId] = useState<number | null>(null);
  const enter = useCallback(
    async (id: number): Promise<void> => {
      setEnteringId(id);
      try {
        const { entry_code } = await send(way, { params: { id: String(id) } }, { isQuiet: true });
        await enterBy(entry_code);
        reloadAt("#/cloud");
      } catch (error) {
        setEnteringId(null);
        if (!(error instanceof ApiError)) throw error;
        const isEnded = error.status === 401 && error.code !== "entry_code_refused";
        if (!isEnded) snack({ kind: "error", text: error.msg ?? t("error.offline") });
      }
    },
    [way, t],
  );
  return { enteringId, enter };
}
