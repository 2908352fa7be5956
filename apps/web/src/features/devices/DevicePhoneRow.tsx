import { resourceOfGroup } from "@metrum/vocabulary";
import { ResourceIcon } from "#ui/icon";
import { DeviceStateCell, readingDecimals, readingUnit, type ColumnContext } from "./deviceColumns.tsx";
import type { DeviceRow } from "./devices.ts";

/** Two lines of a phone: name and reading, state with place and age. */
export function DevicePhoneRow({
  row,
  context,
}: {
  readonly row: DeviceRow;
  readonly context: ColumnContext;
}) {
  const { t, number, language } = context;
  const resource = resourceOfGroup(row.device_group_id ?? 0);
  const value = row.last_reading?.value;
  return (
    <span className="device-phone">
      <ResourceIcon resource={resource.key} label={resource.title[language]} />
      <span className="device-phone-name">{row.name}</span>
      <span className="device-phone-value">
        <b>{value === null || value === undefined ? "—" : number(value, readingDecimals(row))}</b>{" "}
        {readingUnit(row, language)}
      </span>
      <span className="device-phone-place">
        <DeviceStateCell row={row} t={t} /> {row.place}
      </span>
      <span className={row.state === "silent" ? "device-phone-age is-old" : "device-phone-age"}>
        {agoText(row, context)}
      </span>
    </span>
  );
}

function agoText({ last_data_at: at }: DeviceRow, { t, age, now }: ColumnContext): string {
  if (at === null || at === undefined) return "—";
  return now - at < 60 ? age(now - at) : t("ago", { age: age(now - at) });
}
