import type { DeviceModel } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { interfaceTitle } from "#carriers";
import { useFormat } from "#lib/format";
import { Button, buttonClass } from "#ui/button";
import { FactLines } from "#ui/facts";
import type { FormState } from "#ui/form";
import type { GroupValues } from "./groupForm.ts";
import { intervalText, listHref } from "./pollGroups.ts";
import { archiveTitle } from "./ReadStep.tsx";
import type { Archive } from "./useArchives.ts";

interface Props {
  readonly form: FormState<GroupValues>;
  readonly model: DeviceModel | undefined;
  readonly kept: readonly Archive[] | undefined;
  readonly isNew: boolean;
}

/** What the group will do, next to the steps, and the button that saves it. */
export function GroupSummary({ form, model, kept = [], isNew }: Props) {
  const { t } = useTranslation("pollGroups");
  const { number, age, language } = useFormat();
  const { values } = form;
  const archives = values.archives ?? kept.map(({ msg_type }) => msg_type);
  const read = [
    ...(values.now_value ? [t("form.nowValue")] : []),
    ...archives.map((type) => archiveTitle(type, language)),
  ];
  const fact = (name: string, value: string) => ({ name, title: t(`summary.${name}`), value });
  return (
    <aside className="group-summary" aria-label={t("summary.title")}>
      <h2>{t("summary.title")}</h2>
      <FactLines
        facts={[
          fact(
            "model",
            model
              ? `${model.brand} ${model.title}, ${interfaceTitle(Number(values.device_interface_id), language)}`
              : "—",
          ),
          fact("read", read.length === 0 ? "—" : read.join(", ")),
          fact("devices", number(values.device_ids.length, 0)),
          fact(
            "interval",
            intervalText(
              {
                poll_one: values.poll_one,
                report_period_update: Number(values.report_period_update),
                poll_params: { time_shift: Number(values.time_shift) },
              },
              { t, age },
            ),
          ),
          fact("state", t(values.is_active ? "active.active" : "active.inactive")),
        ]}
      />
      <div className="group-summary-foot">
        <a className={buttonClass()} href={listHref}>
          {t("form.back")}
        </a>
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          {t(isNew ? "form.create" : "form.save")}
        </Button>
      </div>
    </aside>
  );
}
