import type { Balance, BalanceCause } from "@metrum/contract/accounting";
import { tasks } from "@metrum/contract/headend";
import { holeBounds } from "@metrum/contract/metering";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange } from "#lib/call";
import { lazily } from "#lib/load";
import { deviceDataRight } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Button, buttonClass } from "#ui/button";
import { change } from "#ui/change";
import { addDays, fromLocal } from "#ui/dateRange";
import { causeHref } from "./balances.ts";

const PhasorDialog = lazily(async () => ({ default: (await import("./PhasorDialog.tsx")).PhasorDialog }));

interface Props {
  readonly cause: BalanceCause;
  readonly balance: Balance;
}

/** The next step about a cause: a request, the vector diagram, or the page where it is looked into. */
export function CauseAction({ cause, balance }: Props) {
  const { t } = useTranslation("balances");
  const mayAsk = useAllowed(tasks.askHoles.right ?? null);
  const mayOpenDevice = useAllowed(deviceDataRight);
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { device_id } = cause;
  // Who may not ask or open the device looks at the point.
  const isOfDevice = cause.action === "request" || cause.action === "device";
  const may = cause.action === "request" ? mayAsk && device_id !== null : mayOpenDevice;
  const action = isOfDevice && !may ? "point" : cause.action;
  if (action === "request" && device_id !== null) {
    const ask = async () => {
      setBusy(true);
      try {
        const body = { device_ids: [device_id], msg_types: archives, ...missingOf(cause, balance) };
        await change(() => exchange(tasks.askHoles, { body }), { refreshed: [tasks.list] });
      } finally {
        setBusy(false);
      }
    };
    return (
      <Button size="small" isBusy={isBusy} onClick={() => void ask()}>
        {t("action.request")}
      </Button>
    );
  }
  if (action === "readings" && device_id !== null)
    return (
      <>
        <Button size="small" onClick={() => setOpen(true)}>
          {t("action.readings")}
        </Button>
        {isOpen ? (
          <Suspense>
            <PhasorDialog
              name={cause.name}
              deviceId={device_id}
              zone={balance.group.timezone}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        ) : null}
      </>
    );
  const href = causeHref({ ...cause, action }, balance.group.id);
  return href === null ? null : (
    <a className={buttonClass({ size: "small" })} href={href}>
      {t(`action.${action}`)}
    </a>
  );
}

/** Hourly and daily archive: either tells where a day begins. */
const archives = [100, 101];

/** The days that a cause lacks, at most as many as one request takes, the last ones; noon of both ends. */
function missingOf(cause: BalanceCause, { points, total, group }: Balance) {
  const point = points.find((each) => each.point_id === cause.point_id && each.missing_sec > 0);
  const noonOf = (day: string) => fromLocal(Date.parse(`${day}T12:00:00Z`) / 1000, group.timezone);
  const start = noonOf(point?.missing_from ?? total.start_day);
  const stop_date = noonOf(point?.missing_to ?? total.stop_day);
  return { start_date: Math.max(start, addDays(stop_date, 1 - holeBounds.days, group.timezone)), stop_date };
}
