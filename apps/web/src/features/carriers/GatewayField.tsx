import { gateways, models } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { PickerField, type Picked, type PickerTexts } from "#ui/picker";

interface Props extends PickerTexts {
  readonly value: Picked | null;
  readonly onValue: (value: Picked | null) => void;
  /** Only gateways that can carry devices of this model. */
  readonly carries?: number | undefined;
  /** Only gateways whose models connect in this way. */
  readonly connection?: "dial_in" | "tcp_client";
  readonly placeholder?: string;
  readonly "data-autofocus"?: boolean;
}

const most = 25;
const asks = { isQuiet: true, keepsPrevious: true, freshMs: 10_000 };
const lasting = { freshMs: 3_600_000, isQuiet: true };

/** A gateway of the company, found by name, number or phone. */
export function GatewayField({ carries, connection, ...field }: Props) {
  const { t } = useTranslation("devices");
  const [search_string, setSearch] = useState("");
  const known = useCall(models.gateways, { body: {} }, { ...lasting, isEnabled: connection !== undefined });
  const model_id = known.data?.gateways.filter((each) => each.connection === connection).map(({ id }) => id);
  const isOfModel = carries !== undefined;
  const all = useCall(
    gateways.list,
    {
      body: {
        search_string,
        per_page: most,
        sort_field: "name",
        sort: "asc",
        ...(connection === undefined ? {} : { model_id }),
      },
    },
    { ...asks, isEnabled: !isOfModel && (connection === undefined || model_id !== undefined) },
  );
  const fitting = useCall(
    gateways.compatible,
    { body: { search_string, ...(isOfModel ? { model_id: carries } : {}) } },
    { ...asks, isEnabled: isOfModel },
  );
  const query = isOfModel ? fitting : all;
  const rows = isOfModel ? fitting.data?.gateways.slice(0, most) : all.data?.gateways.data;
  return (
    <PickerField
      {...field}
      offered={(rows ?? []).map(({ id, name, model_title, device_id }) => ({
        id: String(id),
        title: name,
        note: `${model_title} · ${device_id}`,
      }))}
      onSearch={setSearch}
      note={t(query.isError ? "gateway.failed" : query.data ? "gateway.none" : "gateway.loading")}
    />
  );
}
