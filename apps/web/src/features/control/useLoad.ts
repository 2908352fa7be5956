import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import type { Target } from "./target.ts";

/** The last reading of a device with its time; empty if there is none. */
export function useLoad({ reading }: Pick<Target, "reading">): string {
  const { t } = useTranslation("control");
  const { number } = useFormat();
  const { zone } = useSession();
  if (reading === null || reading.value === null) return "";
  const { value, unit, at } = reading;
  return t("confirm.reading", { value: number(value), unit, time: formatDateTime(at, zone) });
}
