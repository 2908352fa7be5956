import { pollGroups, type PollGroup } from "@metrum/contract/headend";
import type { DeviceModel } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { isPermitted } from "#carriers";
import { exchange, refetch } from "#lib/call";
import { Form, useForm, useUnsaved } from "#ui/form";
import { refreshed } from "./actions.ts";
import { DevicesStep } from "./DevicesStep.tsx";
import { changeOf, fieldNames, newOf, readingFault, valuesOf, type GroupValues } from "./groupForm.ts";
import { GroupSummary } from "./GroupSummary.tsx";
import { ModelStep } from "./ModelStep.tsx";
import { listHref } from "./pollGroups.ts";
import { ReadStep } from "./ReadStep.tsx";
import { ScheduleStep } from "./ScheduleStep.tsx";
import { useArchives } from "./useArchives.ts";

interface Props {
  /** The group to change; null makes a new one. */
  readonly group: PollGroup | null;
  readonly models: readonly DeviceModel[];
}

/** The four steps, and next to them what the group will do. */
export function GroupForm({ group, models: list }: Props) {
  const { t } = useTranslation("pollGroups");
  const [kept, setModel] = useArchives(group?.model_id);
  const form = useForm({
    stored: valuesOf(group),
    required: ["name", "model_id", "device_interface_id"],
    names: fieldNames,
    check: (values) => readingFault(values, kept?.map(({ msg_type }) => msg_type) ?? []),
    words: (code) => (code === "nothing" ? t("form.nothing") : undefined),
    send: async (values: GroupValues, options) => {
      if (!isPermitted(group ? pollGroups.update : pollGroups.create)) return undefined;
      return group
        ? exchange(pollGroups.update, { body: changeOf(values, group.id) }, options)
        : exchange(pollGroups.create, { body: newOf(values) }, options);
    },
    onSaved: async () => {
      location.hash = listHref;
      await refetch(...refreshed);
    },
  });
  useUnsaved(form.isDirty && !form.isBusy);
  const model = list.find(({ id }) => String(id) === form.values.model_id);
  const chooseModel = (chosen: DeviceModel) => {
    setModel(chosen.id);
    form.set({
      model_id: String(chosen.id),
      device_interface_id: String(chosen.interface_ids[0] ?? ""),
      archives: null,
      device_ids: [],
    });
  };
  return (
    <Form form={form} className="group-form">
      <div className="group-steps">
        <ModelStep form={form} models={list} isNew={group === null} onModel={chooseModel} />
        {model ? (
          <>
            <ReadStep form={form} kept={kept} />
            <DevicesStep form={form} modelId={model.id} />
            <ScheduleStep form={form} />
          </>
        ) : (
          <p className="group-next">{t("form.modelFirst")}</p>
        )}
      </div>
      <GroupSummary form={form} model={model} kept={kept} isNew={group === null} />
    </Form>
  );
}
