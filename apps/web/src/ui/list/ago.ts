import type { Words } from "./types.ts";

export interface Ages extends Pick<Words, "t" | "age"> {
  readonly now: number;
}

/** How long ago a time was; without one a dash. */
export function agoText(at: number | null, { t, now, age }: Ages): string {
  if (at === null) return "—";
  return now - at < 60 ? age(now - at) : t("common:age.ago", { age: age(now - at) });
}
