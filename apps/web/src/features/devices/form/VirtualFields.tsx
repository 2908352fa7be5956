import { readings, virtualBounds } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { Button, IconButton } from "#ui/button";
import { NumberField, SelectField, type Option } from "#ui/field";
import type { FormState } from "#ui/form";
import { DeviceField } from "./DeviceField.tsx";
import type { DeviceValues } from "./deviceForm.ts";
import { emptyTerm, type SumValues, type TermValues } from "./virtualForm.ts";

interface Props {
  readonly form: FormState<DeviceValues>;
  /** The device that is being changed. */
  readonly own: number | undefined;
  readonly deviceGroupId: number;
}

const lasting = { freshMs: 3_600_000, isQuiet: true };

/** What a device is computed of, and the device whose readings stand beside its own. */
export function VirtualFields({ form, own, deviceGroupId }: Props) {
  const { t } = useTranslation("deviceForm");
  const options = useFieldOptions(deviceGroupId);
  const { sums, gateway } = form.values;
  const put = (at: number, sum: SumValues | null) =>
    form.set({ sums: sum === null ? sums.filter((_, n) => n !== at) : sums.with(at, sum) });
  const field = form.field("sums");
  return (
    <>
      <DeviceField
        label={t("field.beside")}
        hint={t("hint.beside")}
        {...form.field("beside")}
        not={own}
        placeholder={t("virtual.noDevice")}
      />
      {gateway === null || sums.length > 0 ? (
        <fieldset className="device-form-secrets">
          <legend>{t("virtual.title")}</legend>
          <p className="device-form-hint">{t("virtual.about")}</p>
          {sums.map((sum, at) => (
            <Sum
              key={at}
              sum={sum}
              own={own}
              options={options}
              onChange={(next) => put(at, next)}
              onRemove={() => put(at, null)}
            />
          ))}
          {field.error === undefined ? null : (
            <p className="device-form-fault" role="alert">
              {field.error}
            </p>
          )}
          {sums.length < virtualBounds.fields ? (
            <Button
              icon="plus"
              onClick={() => form.set({ sums: [...sums, { field: "", terms: [emptyTerm] }] })}
            >
              {t("virtual.addField")}
            </Button>
          ) : null}
        </fieldset>
      ) : null}
    </>
  );
}

/** Fields of the resource of the device, by title. */
function useFieldOptions(deviceGroupId: number): readonly Option[] {
  const { language } = useFormat();
  const titles = useCall(readings.fieldTitles, {}, lasting).data?.fields ?? [];
  const found = new Map<string, string>();
  for (const { name, title, title_en, unit, device_group_id } of titles)
    if (device_group_id === deviceGroupId)
      found.set(name, `${language === "ru" ? title : title_en}${unit.title === "" ? "" : `, ${unit.title}`}`);
  return [...found].map(([value, title]) => ({ value, title }));
}

interface SumProps {
  readonly sum: SumValues;
  readonly own: number | undefined;
  readonly options: readonly Option[];
  readonly onChange: (sum: SumValues) => void;
  readonly onRemove: () => void;
}

function Sum({ sum, own, options, onChange, onRemove }: SumProps) {
  const { t } = useTranslation("deviceForm");
  const { terms } = sum;
  const numbered = (key: string, at: number) => (at === 0 ? t(key) : `${t(key)} ${String(at + 1)}`);
  const put = (at: number, term: TermValues | null) =>
    onChange({ ...sum, terms: term === null ? terms.filter((_, n) => n !== at) : terms.with(at, term) });
  return (
    <div className="virtual-sum" role="group" aria-label={t("virtual.sum")}>
      <div className="device-form-pair is-number">
        <SelectField
          label={t("virtual.field")}
          value={sum.field}
          placeholder={t("virtual.chooseField")}
          options={options}
          onValue={(field) => onChange({ ...sum, field })}
        />
        <IconButton icon="close" label={t("virtual.removeField")} onClick={onRemove} />
      </div>
      {terms.map((term, at) => (
        <div key={at} className="virtual-term">
          <DeviceField
            label={numbered("virtual.device", at)}
            value={term.device}
            onValue={(device) => put(at, { ...term, device })}
            not={own}
            placeholder={t("virtual.chooseDevice")}
          />
          <SelectField
            label={numbered("virtual.source", at)}
            value={term.field}
            placeholder={t("virtual.sameField")}
            options={options}
            onValue={(field) => put(at, { ...term, field })}
          />
          <NumberField
            label={numbered("virtual.coefficient", at)}
            name={`coefficient${String(at)}`}
            value={term.coefficient}
            onValue={(coefficient) => put(at, { ...term, coefficient })}
          />
          {terms.length > 1 ? (
            <IconButton icon="close" label={t("virtual.removeTerm")} onClick={() => put(at, null)} />
          ) : null}
        </div>
      ))}
      {terms.length < virtualBounds.terms ? (
        <Button icon="plus" onClick={() => onChange({ ...sum, terms: [...terms, emptyTerm] })}>
          {t("virtual.addTerm")}
        </Button>
      ) : null}
    </div>
  );
}
