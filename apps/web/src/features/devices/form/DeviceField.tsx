import { devices } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { PickerField, type Picked, type PickerTexts } from "#ui/picker";

interface Props extends PickerTexts {
  readonly value: Picked | null;
  readonly onValue: (value: Picked | null) => void;
  /** A device that is not offered: the one that is being changed. */
  readonly not?: number | undefined;
  readonly placeholder?: string;
}

const most = 25;
const asks = { isQuiet: true, keepsPrevious: true, freshMs: 10_000 };

/** A device of the company, found by name or number; of a chosen one the name is looked up. */
export function DeviceField({ not, value, ...field }: Props) {
  const { t } = useTranslation("deviceForm");
  const [search_string, setSearch] = useState("");
  const query = useCall(
    devices.list,
    { body: { search_string, per_page: most, sort_field: "name", sort: "asc" } },
    asks,
  );
  const own = useCall(
    devices.list,
    { body: { ids: [Number(value?.id)], per_page: 10 } },
    { ...asks, isEnabled: value !== null && value.note === undefined },
  );
  const known = own.data?.metering_devices.data.find(({ id }) => String(id) === value?.id);
  const rows = query.data?.metering_devices.data.filter(({ id }) => id !== not) ?? [];
  return (
    <PickerField
      {...field}
      value={value && known?.name !== undefined ? { ...value, title: known.name } : value}
      offered={rows.map(({ id, name = "", deviceID = "", model_title = "" }) => ({
        id: String(id),
        title: name,
        note: `${model_title} · ${deviceID}`,
      }))}
      onSearch={setSearch}
      note={t(query.isError ? "virtual.failed" : query.data ? "virtual.none" : "virtual.loading")}
    />
  );
}
