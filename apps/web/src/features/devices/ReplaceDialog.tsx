import { baseStations, devices as deviceCalls, gateways } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, reasonOf, refetch, useCall } from "#lib/call";
import { SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";

export interface Moved {
  readonly id: number;
  readonly name: string;
  readonly inside_addr: string;
}

/** Answers that show where a device is. */
const refreshed = [gateways.list, gateways.get, deviceCalls.list, deviceCalls.get, baseStations.list];

interface Props {
  readonly devices: readonly Moved[];
  /** Their present gateway, which is not offered. */
  readonly gatewayId: number;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** Moves one or several devices to another gateway; only those that can carry all of them are offered. */
export function ReplaceDialog({ devices, gatewayId, onClose, onMoved }: Props) {
  const { t } = useTranslation("gateways");
  const [only] = devices.length === 1 ? devices : [];
  const ids = devices.map(({ id }) => id);
  const { data, error } = useCall(gateways.compatible, { body: { device_ids: ids } }, { isQuiet: true });
  const offered = data?.gateways.filter(({ id }) => id !== gatewayId);
  const form = useForm({
    stored: { gateway_id: "", inside_addr: only?.inside_addr ?? "" },
    required: ["gateway_id"],
    send: async ({ gateway_id, inside_addr }, options) => {
      const of = (device_id: number) => ({ device_id, gateway_id: Number(gateway_id) });
      if (!isPermitted(gateways.replace)) return undefined;
      return only
        ? exchange(gateways.replace, { body: { ...of(only.id), inside_addr } }, options)
        : exchange(gateways.massReplace, { body: { items: ids.map(of) } }, options);
    },
    onSaved: async () => {
      onMoved();
      onClose();
      await refetch(...refreshed);
    },
  });
  return (
    <FormDialog
      form={form}
      title={only ? t("replace.one", { name: only.name }) : t("replace.many", { count: devices.length })}
      size={450}
      action={t("replace.action")}
      isDisabled={offered === undefined || offered.length === 0}
      onClose={onClose}
    >
      {error ? (
        <p role="alert">{reasonOf(error)}</p>
      ) : offered?.length === 0 ? (
        <p role="status">{t("replace.none")}</p>
      ) : (
        <SelectField
          label={t("replace.gateway")}
          hint={t("replace.hint")}
          {...form.field("gateway_id")}
          placeholder={t("replace.choose")}
          options={(offered ?? []).map(({ id, name, device_id, model_title }) => ({
            value: String(id),
            title: `${name} · ${model_title} · ${device_id}`,
          }))}
        />
      )}
      {only ? (
        <TextField
          label={t("replace.address")}
          hint={t("replace.addressHint")}
          {...form.field("inside_addr")}
          maxLength={100}
          autoComplete="off"
        />
      ) : null}
    </FormDialog>
  );
}
