import { useTranslation } from "react-i18next";
import { Skeleton } from "#ui/skeleton";
import { DevicePicker } from "../pickers.tsx";
import { RegisterField } from "../registers.tsx";
import { RegisterTable } from "./RegisterTable.tsx";
import type { StepProps } from "./swapStep.ts";

/** Which meter measures from now on, by which of its registers. */
export function NewMeterStep({ point, device, swap, next }: StepProps) {
  const { t } = useTranslation("pointReplacement");
  const { draft, put } = swap;
  return (
    <section className="points-panel points-step" aria-label={t("step.new")}>
      <header>
        <h2>{t("new.title")}</h2>
        <span className="points-tag">{t("new.tag")}</span>
      </header>
      <div className="points-step-body">
        <DevicePicker
          label={t("new.device")}
          hint={t("new.deviceHint")}
          group={point.device_group_id}
          without={device.id}
          value={draft.device}
          onValue={(chosen) =>
            put({ device: chosen, field: "", opening: { ...draft.opening, readings: {} } })
          }
          isRequired
        />
        <RegisterField
          known={next}
          pointId={point.id}
          value={draft.field}
          onValue={(field) => put({ field })}
        />
        {draft.device === null ? null : next.query.isPending ? (
          <Skeleton height={90} />
        ) : (
          <RegisterTable
            known={next}
            main={draft.field === "" ? next.main : draft.field}
            caption={t("new.registers")}
          />
        )}
        <p className="quiet">
          {t("new.missing")} <a href="#/cloud/devices">{t("new.toDevices")}</a>
        </p>
      </div>
    </section>
  );
}
