import { accountingPoints, objectConsumption, pointHistory } from "@metrum/contract/accounting";
import type { Call } from "@metrum/contract/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { refetch, useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Status } from "#ui/status";

interface Props {
  /** Of this point, or of the points of this branch. */
  readonly of: { readonly accounting_point_id: string } | { readonly object_id: string };
}

const idleMs = 30_000;
const busyMs = 3_000;

/** Answers that are right once nothing is left. */
const recounted: readonly Call[] = [pointHistory.months, objectConsumption.calculate];

/** While totals are computed again: how many days are left. */
export function Recount({ of }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { number } = useFormat();
  const input = { query: of };
  const { data } = useCall(accountingPoints.progress, input, { isQuiet: true, freshMs: 0, everyMs: idleMs });
  const left = data?.days_left ?? 0;
  useCall(accountingPoints.progress, input, { isQuiet: true, everyMs: busyMs, isEnabled: left > 0 });
  const before = useRef(left);
  useEffect(() => {
    if (before.current > 0 && left === 0) void refetch(...recounted);
    before.current = left;
  }, [left]);
  return left === 0 ? null : (
    <Status kind="pending">{t("recount", { count: left, shown: number(left, 0) })}</Status>
  );
}
