import { pointDevices } from "@metrum/contract/accounting";
import type { ReplyOf } from "@metrum/contract/core";
import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { SelectField, type FieldTexts } from "#ui/field";
import { dataTitle, unitTitle } from "./points.ts";

export type Register = ReplyOf<typeof pointDevices.registers>["registers"][number];

/** Registers of a device, its main one for a point, and their last readings in words. */
export function useRegisters(pointId: number, deviceId: number | null) {
  const { t } = useTranslation("accountingPoints");
  const { number, language } = useFormat();
  const { zone } = useSession();
  const query = useCall(
    pointDevices.registers,
    { body: { accounting_point_id: pointId, device_id: deviceId ?? 0 } },
    { isQuiet: true, isEnabled: deviceId !== null },
  );
  const data = deviceId === null ? undefined : query.data;
  const all = data?.registers ?? [];
  const find = (field: string) => all.find((each) => each.field === (field === "" ? data?.main : field));
  return {
    query,
    all,
    main: data?.main ?? null,
    find,
    titleOf: (register: Register) => dataTitle(register, language),
    unitOf: (register: Register) => unitTitle(register.unit, language),
    lastText: ({ last_value, last_at }: Register) =>
      last_value === null || last_at === null
        ? t("register.never")
        : t("register.last", {
            value: number(last_value, amountDecimals),
            at: formatDateTime(last_at, zone),
          }),
  };
}

interface Props extends FieldTexts {
  readonly known: ReturnType<typeof useRegisters>;
  readonly pointId: number;
  readonly value: string;
  readonly onValue: (field: string) => void;
  readonly name?: string;
}

/** The register that measures the point; offered when a device has several. */
export function RegisterField({ known, pointId, value, onValue, error, name }: Omit<Props, "label">) {
  const { t } = useTranslation("accountingPoints");
  const taken = known.find(value)?.accounting_point_id ?? null;
  const isTaken = taken !== null && taken !== pointId;
  if (known.all.length < 2 && !isTaken && error === undefined) return null;
  return (
    <SelectField
      label={t("register.label")}
      hint={isTaken ? t("register.taken", { id: taken }) : t("register.hint")}
      error={error}
      name={name}
      value={value === "" ? (known.main ?? "") : value}
      onValue={onValue}
      options={known.all.map((each) => ({
        value: each.field,
        title: `${known.titleOf(each)}, ${known.unitOf(each)}`,
      }))}
    />
  );
}
