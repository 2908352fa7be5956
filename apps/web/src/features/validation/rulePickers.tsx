import { accountingPoints, models } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { PickerField, type Picked } from "#ui/picker";

interface Props {
  readonly label: string;
  readonly value: Picked | null;
  readonly onValue: (value: Picked | null) => void;
}

const most = 25;

/** A meter model by its title or brand. */
export function ModelPicker(props: Props) {
  const { t } = useTranslation("validation");
  const [search, setSearch] = useState("");
  const { data } = useCall(models.devices, { body: {} }, { isQuiet: true, freshMs: 3_600_000 });
  const words = search.toLowerCase().split(/\s+/);
  const offered = (data?.metering_devices ?? [])
    .filter(({ title, brand }) => words.every((word) => `${brand} ${title}`.toLowerCase().includes(word)))
    .slice(0, most)
    .map(({ id, title, brand }) => ({ id: String(id), title, note: brand }));
  return (
    <PickerField
      {...props}
      data-autofocus
      offered={offered}
      onSearch={setSearch}
      note={t(data ? "rules.noneFound" : "rules.loading")}
    />
  );
}

/** An accounting point of the company by its name or address. */
export function PointPicker(props: Props) {
  const { t } = useTranslation("validation");
  const [search_string, setSearch] = useState("");
  const { data } = useCall(
    accountingPoints.companyList,
    { body: { per_page: most, sort_field: "name", sort: "asc", search_string } },
    { isQuiet: true, keepsPrevious: true, freshMs: 10_000 },
  );
  const offered = (data?.accounting_points.data ?? []).map(({ id, name, parent_name }) => ({
    id: String(id),
    title: name,
    note: [`AP-${String(id)}`, parent_name ?? ""].filter((each) => each !== "").join(" · "),
  }));
  return (
    <PickerField
      {...props}
      data-autofocus
      offered={offered}
      onSearch={setSearch}
      note={t(data ? "rules.noneFound" : "rules.loading")}
    />
  );
}
