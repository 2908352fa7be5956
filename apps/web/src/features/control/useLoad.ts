import { readings } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, useFormat, useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { instantType, type Target } from "./target.ts";

const hourSec = 3_600;
/** An older power says nothing of the present load. */
const shownHours = 2;
/** The load beside a switch is of now: the dialog may stay open. */
const renewedMs = 60_000;

/**
 * The load that a switch interrupts: the newest measured power of a device with its time, of its primary side; without one of
 * the last hours the last reading. Empty if there is none.
 */
export function useLoad(target: Pick<Target, "id" | "hasPower" | "reading">): string {
  const { t } = useTranslation("control");
  const { number } = useFormat();
  const { zone } = useSession();
  const load = usePower(target) ?? target.reading;
  if (load === null || load.value === null) return "";
  const { value, unit, at } = load;
  return t(load === target.reading ? "confirm.reading" : "confirm.load", {
    value: number(value),
    unit,
    time: formatDateTime(at, zone),
  });
}

function usePower({ id, hasPower }: Pick<Target, "id" | "hasPower">) {
  const hour = Math.floor(useNow() / hourSec) * hourSec;
  const { data } = useCall(
    readings.list,
    {
      body: {
        device_id: id,
        msgType: instantType,
        startDate: hour - shownHours * hourSec,
        stopDate: hour + hourSec,
        limit: 1,
      },
    },
    { isQuiet: true, isEnabled: hasPower, everyMs: renewedMs },
  );
  if (!data || !("data" in data)) return undefined;
  const row = data.data.at(-1);
  // A value has a status of its own where it differs from that of its row.
  const status = row?.["power_active_status"] ?? row?.status;
  if (!row || status === "suspect" || status === "rejected") return undefined;
  const value = row["power_active_kkt"] ?? row["power_active"];
  const unit = data.fields_headers.find(({ name }) => name === "power_active")?.unit;
  return typeof value === "number" && unit !== undefined ? { value, unit, at: row.datetime } : undefined;
}
