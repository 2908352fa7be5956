import { pointDevices, pointFiles, pointHistory, type AccountingPoint } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { ApiError, exchange, reasonOf, refetch, send as ask } from "#lib/call";
import { snack } from "#ui/snackbar";
import { useLostAt } from "./useLostAt.ts";
import type { KeptFile } from "./keptFiles.ts";
import { cardHref, refreshed } from "../points.ts";
import { doubtedCode } from "../ties/ConfirmedReadings.tsx";
import type { SwapDoubt } from "./swapDoubt.ts";
import { swapInput } from "./swapInput.ts";
import type { SwapDraftInUse } from "./useSwapDraft.ts";

/** Sends the replacement, then its photographs; those that fail stay and can be sent again. */
export function useSendSwap(point: AccountingPoint, swap: SwapDraftInUse, doubt: SwapDoubt) {
  const { t } = useTranslation("pointReplacement");
  const isLost = useLostAt() !== null;
  const [isBusy, setBusy] = useState(false);
  const [isReplaced, setReplaced] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const input = swapInput(point.id, swap.draft);

  const sendFiles = async (): Promise<readonly KeptFile[]> => {
    const left: KeptFile[] = [];
    const interval = swap.files.length === 0 ? {} : await lastInterval(point.id);
    for (const file of swap.files) {
      const note = t(`files.note.${file.side}`);
      try {
        await exchange(
          pointFiles.add,
          { params: { id: String(point.id) }, body: { name: file.name, note, ...interval } },
          { files: { file: file.content }, isQuiet: true },
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        left.push(file);
        setRefusal(reasonOf(error) ?? null);
      }
    }
    return left;
  };
  const replace = async (): Promise<void> => {
    if (isReplaced || input === null) return;
    const body = { ...input, ...doubt.confirmation };
    const { msg } = await exchange(pointDevices.replaceDevice, { body }, { isQuiet: true });
    setReplaced(true);
    if (msg !== "") snack(msg);
  };
  const run = async (): Promise<void> => {
    await replace();
    const left = await sendFiles();
    if (left.length > 0) {
      swap.setFiles(left);
      return;
    }
    swap.drop();
    await refetch(...refreshed);
    location.hash = cardHref({ id: point.id, device_id: Number(swap.draft.device?.id ?? 0) });
  };
  const send = () => {
    if (isBusy || !isPermitted(pointDevices.replaceDevice)) return;
    setBusy(true);
    setRefusal(null);
    run()
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === doubtedCode) doubt.setRefused();
        setRefusal(reasonOf(error) ?? null);
      })
      .finally(() => setBusy(false));
  };
  return {
    isBusy,
    /** The new meter measures; only photographs are left. */
    isReplaced,
    refusal,
    canSend: input !== null && !isLost && !isBusy,
    send,
  };
}

/** The interval that the replacement has begun: its photographs belong to it. */
async function lastInterval(accounting_point_id: number): Promise<{ readonly tie_number?: number }> {
  const { devices } = await ask(pointHistory.history, { body: { accounting_point_id } }, { isQuiet: true });
  const last = devices.at(-1);
  return last === undefined ? {} : { tie_number: last.id };
}

export type SendSwap = ReturnType<typeof useSendSwap>;
