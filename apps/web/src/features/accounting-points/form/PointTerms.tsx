import { voltageLevels } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { NumberField, SelectField, TextField } from "#ui/field";
import type { FormState } from "#ui/form";
import { Icon } from "#ui/icon";
import { MomentField } from "../MomentField.tsx";
import { ConsumerPicker, SupplierPicker, TransformerPicker } from "../pickers.tsx";
import { unitTitle } from "../points.ts";
import type { PointValues } from "./pointForm.ts";

interface Props {
  readonly form: FormState<PointValues>;
  readonly isNew: boolean;
  /** Key of the resource. */
  readonly resource: string;
  /** Of the point, once it is known. */
  readonly unit: string | undefined;
}

/** Terms of accounting, and the moment from which a change of them holds. */
export function PointTerms({ form, isNew, resource, unit = "" }: Props) {
  const { t } = useTranslation("accountingPoints");
  const { language } = useFormat();
  const inUnit = unit === "" ? {} : { unit: unitTitle(unit, language) };
  const isElectricity = resource === "electricity";
  const hasTransformers =
    form.values.current_transformer !== null || form.values.voltage_transformer !== null;
  return (
    <fieldset className="points-part">
      <legend>{t("form.terms")}</legend>
      <p className="points-terms-note">
        <Icon name="info" />
        <span>{t(isNew ? "form.termsNew" : "form.termsHold")}</span>
      </p>
      <div className="points-pair">
        <MomentField
          label={t(isNew ? "form.fromNew" : "form.from")}
          hint={t("form.fromHint")}
          zone={form.values.timezone}
          {...form.field("valid_from")}
        />
        {isNew ? null : (
          <TextField label={t("form.note")} {...form.field("note")} maxLength={1000} autoComplete="off" />
        )}
        <ConsumerPicker label={t("form.consumer")} {...form.field("consumer")} />
        <SupplierPicker label={t("form.supplier")} {...form.field("supplier")} />
        <NumberField
          label={t("form.ratio")}
          hint={t(hasTransformers ? "form.ratioByTransformers" : "form.ratioHint")}
          disabled={hasTransformers}
          {...form.field("ratio")}
          min={0.000001}
          max={1_000_000}
        />
        <NumberField
          label={t("form.loss")}
          hint={t("form.lossHint")}
          unit="%"
          {...form.field("loss")}
          min={0}
          max={99.999999}
        />
        {isElectricity ? (
          <>
            <TransformerPicker
              kind="current"
              label={t("form.currentTransformer")}
              placeholder={t("form.noTransformer")}
              {...form.field("current_transformer")}
            />
            <TransformerPicker
              kind="voltage"
              label={t("form.voltageTransformer")}
              placeholder={t("form.noTransformer")}
              {...form.field("voltage_transformer")}
            />
            <SelectField
              label={t("form.voltageLevel")}
              {...form.field("voltage_level_id")}
              options={[
                { value: "", title: t("form.noLevel") },
                ...voltageLevels.map(({ id, title }) => ({ value: String(id), title: title[language] })),
              ]}
            />
            <NumberField
              label={t("form.contractPower")}
              unit={unitTitle("kW", language)}
              {...form.field("contract_power")}
              min={0}
              max={100_000_000}
              decimals={3}
            />
          </>
        ) : null}
      </div>
      <p className="points-part-title">{t("form.standard")}</p>
      <div className="points-triple">
        {(["hour", "day", "month"] as const).map((part) => (
          <NumberField
            key={part}
            label={t(`form.standardOf.${part}`)}
            {...inUnit}
            {...form.field(part)}
            min={0}
            max={1e12}
          />
        ))}
      </div>
    </fieldset>
  );
}
