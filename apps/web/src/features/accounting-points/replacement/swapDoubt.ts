import type { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { useState } from "react";
import type { SwapDraft } from "./replaceDraft.ts";
import { swapInput } from "./swapInput.ts";
import type { SwapCheck } from "./useSwapCheck.ts";

type Reply = ReplyOf<typeof pointDevices.checkReplacement>;

const trusted = new Set<Reply["closing"][number]["verdict"]>(["ok", "unknown"]);

/** Whether a reading contradicts the polls or the load, or tariffs their total. */
export const isDoubted = ({ closing, opening, closing_sum, opening_sum }: Reply): boolean =>
  [...closing, ...opening].some(({ given, verdict }) => given !== null && !trusted.has(verdict)) ||
  [closing_sum, opening_sum].some((sum) => sum !== null && !sum.adds_up);

/** Readings that are doubted are written only once the user confirms, with a reason, that the meters show them. */
export function useSwapDoubt(pointId: number, draft: SwapDraft, check: SwapCheck) {
  const [accepted, setAccepted] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const key = JSON.stringify(swapInput(pointId, draft));
  const { data, query, isOld } = check;
  const isAsked = (data !== undefined && isDoubted(data)) || refused === key;
  const isAccepted = accepted === key;
  const isConfirmed = isAsked && isAccepted && reason.trim() !== "";
  // What could not be checked is refused or taken by the server as it stands.
  const isChecked = !isOld && !query.isFetching && (data !== undefined || query.isError);
  return {
    isAsked,
    isAccepted,
    accept: (isOn: boolean) => setAccepted(isOn ? key : null),
    reason,
    setReason,
    /** The server has doubted these readings. */
    setRefused: () => setRefused(key),
    isSettled: isChecked && (!isAsked || isConfirmed),
    confirmation: isConfirmed ? { confirm: true, confirm_reason: reason.trim() } : {},
  };
}
export type SwapDoubt = ReturnType<typeof useSwapDoubt>;
