import { models } from "@metrum/contract/metering";
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
  const { data, isError } = useCall(models.devices, { body: {} }, { isQuiet: true, freshMs: 3_600_000 });
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
      note={t(isError ? "failed" : data ? "rules.noneFound" : "rules.loading")}
    />
  );
}
