import { pointDevices } from "@metrum/contract/accounting";
import { useCall } from "#lib/call";
import type { SwapDraft } from "./replaceDraft.ts";
import { swapInput } from "./swapInput.ts";
import { useQuiet } from "../useQuiet.ts";

/** What the server says of the draft: it is asked once typing pauses, and stores nothing. */
export function useSwapCheck(pointId: number, draft: SwapDraft) {
  const { value: input, isOld } = useQuiet(swapInput(pointId, draft));
  const query = useCall(
    pointDevices.checkReplacement,
    { body: input ?? { accounting_point_id: pointId, device_id: 0 } },
    { isQuiet: true, keepsPrevious: true, isEnabled: input !== null },
  );
  return { query, data: input === null ? undefined : query.data, isOld };
}
export type SwapCheck = ReturnType<typeof useSwapCheck>;
