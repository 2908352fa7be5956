import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";

import { formatDateTime, useFormat } from "#lib/format";
import { FactLines } from "#ui/facts";
import { Checkbox, TextField } from "#ui/field";
import { Status } from "#ui/status";
import { meterText } from "../points.ts";
import { ReadingChecks } from "./ReadingChecks.tsx";
import { SwapOutcome } from "./SwapOutcome.tsx";
import type { SwapDoubt } from "./swapDoubt.ts";
import type { StepProps } from "./swapStep.ts";
import type { SendSwap } from "./useSendSwap.ts";

/** Everything once more before it is written. */
export function CheckStep({
  sending,
  doubt,
  ...props
}: StepProps & { readonly sending: SendSwap; readonly doubt: SwapDoubt }) {
  const { point, device, swap, old, next, check } = props;
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const { draft, files } = swap;
  const zone = point.timezone;
  const at = (moment: number | null) => (moment === null ? t("sum.atOnce") : formatDateTime(moment, zone));
  const readings = (known: typeof old, entered: Readonly<Record<string, number | null>>) =>
    Object.entries(entered)
      .flatMap(([field, value]) => {
        const register = known.find(field);
        return value === null || register === undefined
          ? []
          : [`${known.titleOf(register)} ${number(value, amountDecimals)} ${known.unitOf(register)}`];
      })
      .join("; ") || t("sum.noReadings");
  return (
    <div className="points-readings">
      <section className="points-panel points-step" aria-label={t("step.check")}>
        <header>
          <h2>{t("sum.title")}</h2>
        </header>
        <div className="points-step-body">
          <FactLines
            facts={[
              { name: "old", title: t("sum.old"), value: meterText(device) },
              { name: "removed", title: t("sum.removed"), value: at(draft.closing.at) },
              { name: "closing", title: t("sum.closing"), value: readings(old, draft.closing.readings) },
              { name: "new", title: t("sum.new"), value: draft.device?.title ?? "—" },
              { name: "installed", title: t("sum.installed"), value: at(draft.opening.at) },
              { name: "opening", title: t("sum.opening"), value: readings(next, draft.opening.readings) },
              { name: "act", title: t("sum.act"), value: draft.act === "" ? "—" : draft.act },
              { name: "files", title: t("sum.files"), value: number(files.length, 0) },
            ]}
          />
          <ReadingChecks data={check.data} side="closing" known={old} zone={zone} />
          <ReadingChecks data={check.data} side="opening" known={next} zone={zone} />
          {doubt.isAsked && !sending.isReplaced ? (
            <Checkbox
              checked={doubt.isAccepted}
              onChange={({ currentTarget: { checked } }) => doubt.accept(checked)}
            >
              {t("sum.accept")}
            </Checkbox>
          ) : null}
          {doubt.isAsked && doubt.isAccepted && !sending.isReplaced ? (
            <TextField
              label={t("sum.reason")}
              hint={t("sum.reasonHint")}
              value={doubt.reason}
              onValue={doubt.setReason}
              isRequired
              maxLength={500}
              autoComplete="off"
            />
          ) : null}
          <Sending sending={sending} left={files.length} />
          <p className="quiet">{t("sum.undo")}</p>
        </div>
      </section>
      <SwapOutcome {...props} />
    </div>
  );
}

/** What was refused; after the replacement only photographs can be left. */
function Sending({ sending, left }: { readonly sending: SendSwap; readonly left: number }) {
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  if (sending.refusal === null) return null;
  return (
    <div role="alert">
      {sending.isReplaced ? (
        <Status kind="warn">{t("sum.filesLeft", { count: left, shown: number(left, 0) })}</Status>
      ) : (
        <Status kind="alarm">{t("sum.refused")}</Status>
      )}
      <p>{sending.refusal}</p>
    </div>
  );
}
