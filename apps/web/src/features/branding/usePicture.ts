import { useEffect, useMemo } from "react";

/** URL of a picture as it would be after saving; null for none. */
export function usePicture(file: File | null | undefined, stored: string | null): string | null {
  const chosen = useMemo(() => (file ? URL.createObjectURL(file) : null), [file]);
  useEffect(
    () => () => {
      if (chosen !== null) URL.revokeObjectURL(chosen);
    },
    [chosen],
  );
  return file === undefined ? stored : chosen;
}
