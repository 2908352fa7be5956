import { addressBounds, addresses } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useAllowed } from "#lib/session";
import type { Bound } from "#ui/form";
import { SuggestField } from "#ui/picker";
import { filledFrom, type AddressValues } from "./address.ts";
import { addressText } from "./objects.ts";

/** Shorter texts match too much. */
const shortest = 3;

interface Props {
  readonly field: Bound<string>;
  readonly values: AddressValues;
  readonly onTake: (values: AddressValues) => void;
}

/**
 * The address in one line. While it is typed, addresses of the company are suggested, then those of the service of
 * the installation, if it has one; the chosen one fills in its parts. Everything can be typed by hand instead.
 */
export function AddressField({ field, values, onTake }: Props) {
  const { t } = useTranslation("objects");
  const [query, setQuery] = useState("");
  const isEnabled = useAllowed(addresses.dadata.right ?? null) && query.length >= shortest;
  const { data } = useCall(
    addresses.dadata,
    { body: { query: query.slice(0, addressBounds.query) } },
    { isQuiet: true, keepsPrevious: true, isEnabled },
  );
  const found = isEnabled ? (data?.suggestions ?? []) : [];
  return (
    <SuggestField
      label={t("form.address")}
      hint={t(isEnabled && data?.is_reached === false ? "form.addressUnreached" : "form.addressHint")}
      {...field}
      maxLength={500}
      offered={found.map((each, at) => ({
        id: String(at),
        title: addressText(each),
        ...(each.source === "own" ? { note: t("form.addressOwn") } : {}),
      }))}
      onSearch={setQuery}
      onTake={({ id }) => {
        const chosen = found[Number(id)];
        if (chosen) onTake(filledFrom(chosen, values));
      }}
    />
  );
}
