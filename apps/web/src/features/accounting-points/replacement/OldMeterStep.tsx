import { DeviceLink } from "#lib/screen";
import { useTranslation } from "react-i18next";

import { TextField } from "#ui/field";
import { Skeleton } from "#ui/skeleton";
import { meterText } from "../points.ts";
import { MomentField } from "../MomentField.tsx";
import type { StepProps } from "./swapStep.ts";
import { RegisterTable } from "./RegisterTable.tsx";

/** Which meter leaves, when, by which act. */
export function OldMeterStep({ point, device, swap, old }: StepProps) {
  const { t } = useTranslation("pointReplacement");

  const { draft, put } = swap;
  const last = device.last_data_at;
  return (
    <section className="points-panel points-step" aria-label={t("step.old")}>
      <header>
        <h2>{t("old.title")}</h2>
        <span className="points-tag">{t("old.tag")}</span>
      </header>
      <div className="points-step-body">
        <p>
          <DeviceLink id={device.id}>
            <b>{meterText(device)}</b>
          </DeviceLink>{" "}
          {device.model_title}
        </p>
        {last === null ? <p>{t("old.never")}</p> : null}
        {old.query.isPending ? (
          <Skeleton height={90} />
        ) : (
          <RegisterTable known={old} main={device.field} caption={t("old.registers")} />
        )}
        <div className="points-pair">
          <MomentField
            label={t("old.removed")}
            hint={t("old.removedHint")}
            zone={point.timezone}
            value={draft.closing.at}
            onValue={(at) => put({ closing: { ...draft.closing, at } })}
            isRequired
          />
          <TextField
            label={t("old.act")}
            hint={t("old.actHint")}
            value={draft.act}
            onValue={(act) => put({ act })}
            maxLength={200}
            autoComplete="off"
          />
        </div>
        <TextField
          label={t("old.note")}
          value={draft.note}
          onValue={(note) => put({ note })}
          maxLength={1000}
          autoComplete="off"
        />
      </div>
    </section>
  );
}
