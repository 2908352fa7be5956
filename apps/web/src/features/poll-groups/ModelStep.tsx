import type { DeviceModel } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { interfaceTitle } from "#carriers";
import { useFormat } from "#lib/format";
import { SelectField, TextField } from "#ui/field";
import type { FormState } from "#ui/form";
import type { GroupValues } from "./groupForm.ts";
import { isPolled } from "./pollGroups.ts";
import { Step } from "./Step.tsx";

interface Props {
  readonly form: FormState<GroupValues>;
  readonly models: readonly DeviceModel[];
  readonly isNew: boolean;
  readonly onModel: (model: DeviceModel) => void;
}

/** Name, model and interface. A group keeps its model: its devices, archives and schedule depend on it. */
export function ModelStep({ form, models, isNew, onModel }: Props) {
  const { t } = useTranslation("pollGroups");
  const { language } = useFormat();
  const model = models.find(({ id }) => String(id) === form.values.model_id);
  const choose = (chosen: string) => {
    const found = models.find(({ id }) => String(id) === chosen);
    if (found) onModel(found);
  };
  return (
    <Step at={1} title={t("step.model")}>
      <TextField
        label={t("form.name")}
        {...form.field("name")}
        maxLength={255}
        autoComplete="off"
        autoFocus={isNew}
      />
      <div className="group-pair">
        <SelectField
          label={t("form.model")}
          {...form.field("model_id")}
          onValue={choose}
          placeholder={t("form.chooseModel")}
          disabled={!isNew}
          hint={isNew ? t("form.modelHint") : t("form.modelKept")}
          options={models
            .filter(isPolled)
            .map(({ id, brand, title }) => ({ value: String(id), title: `${brand} ${title}` }))}
        />
        <SelectField
          label={t("form.interface")}
          {...form.field("device_interface_id")}
          disabled={!isNew || model === undefined}
          options={(model?.interface_ids ?? []).map((id) => ({
            value: String(id),
            title: interfaceTitle(id, language),
          }))}
        />
      </div>
    </Step>
  );
}
