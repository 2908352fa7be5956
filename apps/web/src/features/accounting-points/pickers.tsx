import { consumers, suppliers } from "@metrum/contract/access";
import { accountingPoints, objects, transformers } from "@metrum/contract/accounting";
import { devices } from "@metrum/contract/metering";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { PickerField, type Picked, type PickerTexts } from "#ui/picker";

export interface PickProps extends PickerTexts {
  readonly value: Picked | null;
  readonly onValue: (value: Picked | null) => void;
  readonly placeholder?: string;
  readonly "data-autofocus"?: boolean;
}

const most = 25;
const asks = { isQuiet: true, keepsPrevious: true, freshMs: 10_000 };

function useNote(query: { readonly isError: boolean; readonly data?: unknown }): string {
  const { t } = useTranslation("accountingPoints");
  return t(query.isError ? "picker.failed" : query.data === undefined ? "picker.loading" : "picker.none");
}

/** A node of the objects tree by name or address, with its parent. */
export function ObjectPicker(props: PickProps) {
  const [search_string, setSearch] = useState("");
  const query = useCall(
    objects.buildTree,
    { body: { with_descendants: false, ...(search_string === "" ? {} : { search_string }) } },
    asks,
  );
  const tree = query.data?.tree ?? [];
  const nameOf = (id: string | null) => tree.find(({ _id }) => _id === id)?.name;
  const offered = tree.slice(0, most * 2).map(({ _id, name, parentId }) => {
    const parent = nameOf(parentId);
    return { id: _id, title: name, ...(parent === undefined ? {} : { note: parent }) };
  });
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

/** An accounting point of the company by name, address or device. */
export function PointPicker(props: PickProps) {
  const { t } = useTranslation("accountingPoints");
  const [search_string, setSearch] = useState("");
  const query = useCall(
    accountingPoints.companyList,
    { body: { per_page: most, sort_field: "name", sort: "asc", search_string } },
    asks,
  );
  const offered = (query.data?.accounting_points.data ?? []).map(({ id, name, parent_name }) => ({
    id: String(id),
    title: name,
    ...noteOf(t("number", { id }), parent_name ?? t("form.noObject")),
  }));
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

/** A consumer by name, number of taxpayer or contract. */
export function ConsumerPicker(props: PickProps) {
  const [search_string, setSearch] = useState("");
  const query = useCall(consumers.list, { body: { per_page: most, search_string } }, asks);
  const offered = (query.data?.consumers.data ?? []).map(({ _id, name, number_of_contract, inn }) => ({
    id: _id,
    title: name,
    ...noteOf(number_of_contract, inn),
  }));
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

/** A supplier by name, number of taxpayer or contract. */
export function SupplierPicker(props: PickProps) {
  const [search_string, setSearch] = useState("");
  const query = useCall(suppliers.list, { body: { per_page: most, search_string } }, asks);
  const offered = (query.data?.suppliers.data ?? []).map(({ _id, name, number_of_contract, inn }) => ({
    id: _id,
    title: name,
    ...noteOf(number_of_contract, inn),
  }));
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

/** A current or voltage transformer by title or number. */
export function TransformerPicker({ kind, ...props }: PickProps & { readonly kind: "current" | "voltage" }) {
  const [search_string, setSearch] = useState("");
  const query = useCall(transformers.list, { body: { per_page: most, search_string, kind } }, asks);
  const offered = (query.data?.transformers.data ?? []).map((each) => ({
    id: String(each.id),
    title: each.title,
    ...noteOf(`${String(each.primary_value)}/${String(each.secondary_value)}`, each.number),
  }));
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

/** A device of the company that measures the resource of a point. */
export function DevicePicker({
  group,
  without,
  ...props
}: PickProps & { readonly group: number; readonly without?: number | null }) {
  const [search_string, setSearch] = useState("");
  const query = useCall(
    devices.list,
    {
      body: {
        per_page: most,
        sort_field: "name",
        sort: "asc",
        device_group_id: group,
        append_fields: ["model"],
        ...(search_string === "" ? {} : { search_string }),
      },
    },
    asks,
  );
  const offered = (query.data?.metering_devices.data ?? [])
    .filter(({ id }) => id !== undefined && id !== without)
    .map(({ id, name, deviceID, model }) => ({
      id: String(id),
      title: name ?? "",
      ...noteOf(model?.title ?? "", deviceID ?? ""),
    }));
  return <PickerField {...props} offered={offered} onSearch={setSearch} note={useNote(query)} />;
}

function noteOf(...parts: readonly string[]): { readonly note?: string } {
  const note = parts.filter((part) => part !== "").join(" · ");
  return note === "" ? {} : { note };
}
