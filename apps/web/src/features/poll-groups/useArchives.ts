import { modelSheets, type ModelSheet } from "@metrum/contract/metering";
import { useState } from "react";
import { useCall } from "#lib/call";

export type Archive = ModelSheet["archives"][number];

/** The archives that the chosen model keeps, undefined until they are known; and the choice of the model. */
export function useArchives(first: number | undefined) {
  const [modelId, setModel] = useState(first);
  const { data } = useCall(
    modelSheets.get,
    { params: { model_id: String(modelId ?? "") } },
    { isEnabled: modelId !== undefined, freshMs: 3_600_000 },
  );
  return [data?.model.archives, setModel] as const;
}
