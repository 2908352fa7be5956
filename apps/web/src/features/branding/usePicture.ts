import type { DesignPicture } from "@metrum/contract";
import { useEffect, useMemo } from "react";
import type { Draft } from "./useDraft.ts";

/** Address of a picture as it would be after saving; null for none. */
export function usePicture({ files, design }: Draft, field: DesignPicture): string | null {
  const file = files[field];
  const chosen = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(
    () => () => {
      if (chosen !== null) URL.revokeObjectURL(chosen);
    },
    [chosen],
  );
  return file === undefined ? design[field] : chosen;
}
