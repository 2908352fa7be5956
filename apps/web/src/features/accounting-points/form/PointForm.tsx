import { accountingPoints, pointTransformers, type AccountingPoint } from "@metrum/contract/accounting";
import { resourceOfType } from "@metrum/vocabulary";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, refetch } from "#lib/call";
import { useNow } from "#lib/format";
import { useSession } from "#lib/session";
import { Checkbox, SelectField, TextField } from "#ui/field";
import { FormDialog, useForm } from "#ui/form";
import { Icon } from "#ui/icon";
import { ZoneField } from "#ui/zone";
import "../accountingPoints.css";
import "../history/history.css";
import "../history/lanes.css";
import { DevicePicker, ObjectPicker } from "../pickers.tsx";
import { PointTerms } from "./PointTerms.tsx";
import { createInput, transformerChanges, updateInput, valuesOf, type PointValues } from "./pointForm.ts";
import { cardHref, refreshed } from "../points.ts";
import { typeIds, typeTitle } from "../typeTitle.ts";

interface Props {
  /** The point to change; without it one is made. */
  readonly point: AccountingPoint | null;
  /** Node of the tree of a new point. */
  readonly parent: { readonly _id: string; readonly name: string } | null;
  readonly onClose: () => void;
}

/** Makes or changes a point. Its terms hold from a moment on; numbers before it stay. */
export function PointForm({ point, parent, onClose }: Props) {
  const { t } = useTranslation("accountingPoints");
  const now = useNow();
  const { company } = useSession();
  const form = usePointForm({ point, parent, onClose });
  const { key, deviceGroupId } = resourceOfType(Number(form.values.resource_type_id));
  return (
    <FormDialog
      form={form}
      title={point ? t("form.edit", { name: point.name }) : t("form.new")}
      size={618}
      action={t(point ? "form.save" : "form.create")}
      onClose={onClose}
      className="points-form"
    >
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        data-autofocus
      />
      <div className="points-pair">
        <SelectField
          label={t("form.type")}
          {...form.field("resource_type_id")}
          disabled={point?.device != null}
          hint={point?.device == null ? undefined : t("form.typeFixed")}
          options={typeIds.map((id) => ({
            value: String(id),
            title: typeTitle({ resource_type_id: id }, t),
          }))}
        />
        <ObjectPicker label={t("form.object")} placeholder={t("form.noObject")} {...form.field("parent")} />
      </div>
      <fieldset className="points-part">
        <legend>{t("form.address")}</legend>
        <div className="points-pair">
          {(["city", "street", "house", "innerObject"] as const).map((part) => (
            <TextField
              key={part}
              label={t(`form.${part}`)}
              {...form.field(part)}
              maxLength={255}
              autoComplete="off"
            />
          ))}
        </div>
      </fieldset>
      {point ? null : (
        <DevicePicker
          label={t("form.device")}
          hint={t("form.deviceHint")}
          placeholder={t("form.noDevice")}
          group={deviceGroupId}
          {...form.field("device")}
        />
      )}
      <PointTerms form={form} isNew={point === null} resource={key} unit={point?.unit} />
      <Checkbox
        checked={form.values.has_own_zone}
        onChange={(event) => form.field("has_own_zone").onValue(event.currentTarget.checked)}
      >
        {t("form.ownZone")}
      </Checkbox>
      {form.values.has_own_zone ? (
        <ZoneField
          label={t("form.zone")}
          hint={t("form.zoneHint")}
          error={form.field("timezone").error}
          value={form.values.timezone}
          onValue={form.field("timezone").onValue}
          at={now}
        />
      ) : (
        <p className="points-terms-note">
          <Icon name="info" />
          <span>{t("form.zoneOfCompany", { zone: company.timezone_name })}</span>
        </p>
      )}
      <TextField label={t("form.comment")} {...form.field("comment")} maxLength={2000} autoComplete="off" />
    </FormDialog>
  );
}

function usePointForm({ point, parent, onClose }: Props) {
  const { company } = useSession();
  const zone = company.timezone_name;
  const stored = useMemo(() => valuesOf(point, parent, zone), [point, parent, zone]);
  return useForm<PointValues, { readonly accounting_point: AccountingPoint }>({
    stored,
    required: ["name"],
    names: {
      parent_id: "parent",
      consumer_id: "consumer",
      supplier_id: "supplier",
      device_id: "device",
      loss_factor: "loss",
      transformation_ratio: "ratio",
    },
    send: async (values, options) => {
      const answer = point
        ? await exchange(accountingPoints.update, { body: updateInput(point.id, values, stored) }, options)
        : await exchange(accountingPoints.create, { body: createInput(values) }, options);
      await tieTransformers(answer.data.accounting_point.id, values, stored);
      return answer;
    },
    onSaved: async ({ accounting_point }) => {
      onClose();
      await refetch(...refreshed);
      if (point === null) location.hash = cardHref(accounting_point);
    },
  });
}

/** The point is saved by then: a refusal is shown, and the transformer can be tied again. */
async function tieTransformers(id: number, values: PointValues, stored: PointValues): Promise<void> {
  const moment = values.valid_from === null ? {} : { at: values.valid_from };
  for (const { was, is } of transformerChanges(values, stored)) {
    try {
      if (is)
        await exchange(pointTransformers.tie, {
          body: {
            accounting_point_id: id,
            transformer_id: Number(is.id),
            ...("at" in moment ? { from: moment.at } : {}),
          },
        });
      else if (was)
        await exchange(pointTransformers.untie, {
          body: {
            accounting_point_id: id,
            transformer_id: Number(was.id),
            ...("at" in moment ? { to: moment.at } : {}),
          },
        });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
