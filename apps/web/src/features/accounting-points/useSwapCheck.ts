import { pointDevices } from "@metrum/contract";
import { useEffect, useState } from "react";
import { useCall } from "#lib/call";
import type { SwapDraft } from "./replaceDraft.ts";
import { swapInput, type SwapInput } from "./swapInput.ts";

const quietMs = 400;

/** What the server says of the draft: it is asked once typing pauses, and stores nothing. */
export function useSwapCheck(pointId: number, draft: SwapDraft) {
  const input = swapInput(pointId, draft);
  const text = JSON.stringify(input);
  const [asked, setAsked] = useState<{ readonly text: string; readonly input: SwapInput | null }>({
    text,
    input,
  });
  useEffect(() => {
    if (text === asked.text) return undefined;
    const timer = setTimeout(() => setAsked({ text, input: JSON.parse(text) as SwapInput | null }), quietMs);
    return () => clearTimeout(timer);
  }, [text, asked.text]);
  const query = useCall(
    pointDevices.checkReplacement,
    { body: asked.input ?? { accounting_point_id: pointId, device_id: 0 } },
    { isQuiet: true, keepsPrevious: true, isEnabled: asked.input !== null },
  );
  return { query, data: asked.input === null ? undefined : query.data, isOld: asked.text !== text };
}
export type SwapCheck = ReturnType<typeof useSwapCheck>;
