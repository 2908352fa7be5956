import { quarantine, readings } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { useFormat } from "#lib/format";
import { change } from "#ui/change";
import { confirm } from "#ui/dialog";
import type { QuarantineFilter } from "./quarantine.ts";

/** Readings by their keys, or all that match a filter. */
export interface Chosen {
  readonly body: QuarantineFilter | { readonly ids: string[] };
  readonly count: number;
}

const refreshedBy = {
  release: [quarantine.list, quarantine.summary, readings.list],
  discard: [quarantine.list, quarantine.summary],
};

/**
 * Asks for confirmation, sends the decision, reports the outcome and refreshes. The call itself reports a
 * failure.
 */
export function useDecisions() {
  const { t } = useTranslation("quarantine");
  const { number } = useFormat();
  const [isBusy, setBusy] = useState(false);
  const decide = async (verb: "release" | "discard", { body, count }: Chosen): Promise<boolean> => {
    const isSure = await confirm({
      title: t(`${verb}.title`, { count, shown: number(count, 0) }),
      text: t(`${verb}.text`),
      action: t(`${verb}.action`),
      isHarmful: verb === "discard",
    });
    if (!isSure) return false;
    setBusy(true);
    try {
      return await change(() => exchange(quarantine[verb], { body }), { refreshed: refreshedBy[verb] });
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, decide };
}
