import type { AccountingPoint } from "@metrum/contract/accounting";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { confirm } from "#ui/dialog";
import { Status } from "#ui/status";
import { CheckStep } from "./CheckStep.tsx";
import { NewMeterStep } from "./NewMeterStep.tsx";
import { OldMeterStep } from "./OldMeterStep.tsx";
import { cardHref } from "../points.ts";
import { ReadingsStep } from "./ReadingsStep.tsx";
import { useRegisters } from "../registers.tsx";
import { steps, type StepName } from "./replaceSteps.ts";
import { SwapSteps } from "./SwapSteps.tsx";
import { useSwapDoubt, type SwapDoubt } from "./swapDoubt.ts";
import { useLostAt } from "./useLostAt.ts";
import { useSendSwap } from "./useSendSwap.ts";
import { useSwapCheck } from "./useSwapCheck.ts";
import { useSwapDraft } from "./useSwapDraft.ts";

interface Props {
  readonly point: AccountingPoint;
  readonly device: NonNullable<AccountingPoint["device"]>;
}

/** Old meter, new meter, readings, check. The draft stays in the browser until it is sent. */
export function ReplaceWizard({ point, device }: Props) {
  const { t } = useTranslation("pointReplacement");
  const swap = useSwapDraft(point.id);
  const { draft, put } = swap;
  const { step } = draft;
  const old = useRegisters(point.id, device.id);
  const next = useRegisters(point.id, draft.device === null ? null : Number(draft.device.id));
  const check = useSwapCheck(point.id, draft);
  const doubt = useSwapDoubt(point.id, draft, check);
  const sending = useSendSwap(point, swap, doubt);
  const [faulty, setFaulty] = useState<StepName | null>(null);
  const taken = next.find(draft.field)?.accounting_point_id ?? null;
  const faultOf = (of: StepName): string | null => {
    if (of === "old" && draft.closing.at === null) return t("fault.noMoment");
    if (of === "new" && draft.device === null) return t("fault.noDevice");
    if (of === "new" && taken !== null) return t("fault.taken", { id: taken });
    return null;
  };
  const go = (to: StepName) => {
    const blocked = steps.slice(0, steps.indexOf(to)).find((each) => faultOf(each) !== null);
    setFaulty(blocked ?? null);
    put({ step: blocked ?? to });
    scrollTo({ top: 0 });
  };
  // Gone as soon as it is mended.
  const fault = faulty === null ? null : faultOf(faulty);
  const parts = { point, device, swap, old, next, check };
  return (
    <>
      <SwapSteps
        current={step}
        onStep={go}
        notes={{
          old: `${device.model_title === "" ? device.name : device.model_title} №${device.deviceID}`,
          ...(draft.device === null ? {} : { new: draft.device.title }),
        }}
      />
      <Connection />
      {step === "old" ? <OldMeterStep {...parts} /> : null}
      {step === "new" ? <NewMeterStep {...parts} /> : null}
      {step === "readings" ? <ReadingsStep {...parts} /> : null}
      {step === "check" ? <CheckStep {...parts} sending={sending} doubt={doubt} /> : null}
      {fault === null ? null : (
        <p role="alert">
          <Status kind="alarm">{fault}</Status>
        </p>
      )}
      <Foot {...{ point, swap, sending, doubt, go }} />
    </>
  );
}

/** Without a connection nothing is sent, and the draft waits here. */
function Connection() {
  const { t } = useTranslation("pointReplacement");
  const { zone } = useSession();
  const lostAt = useLostAt();
  if (lostAt === null) return null;
  return (
    <p className="points-offline" role="status">
      <Status kind="offline">{t("offline", { time: formatTime(lostAt, zone) })}</Status>
    </p>
  );
}

interface FootProps {
  readonly point: AccountingPoint;
  readonly swap: ReturnType<typeof useSwapDraft>;
  readonly sending: ReturnType<typeof useSendSwap>;
  readonly doubt: SwapDoubt;
  readonly go: (step: StepName) => void;
}

/** Back, next, and where the draft is. */
function Foot({ point, swap, sending, doubt, go }: FootProps) {
  const { t } = useTranslation("pointReplacement");
  const { zone } = useSession();
  const { number } = useFormat();
  const at = steps.indexOf(swap.draft.step);
  const [before, after] = [steps[at - 1], steps[at + 1]];
  const cancel = async () => {
    const isSure =
      swap.keptAt === null ||
      (await confirm({
        title: t("cancel.title"),
        text: t("cancel.text"),
        action: t("cancel.action"),
        isHarmful: true,
      }));
    if (!isSure) return;
    swap.drop();
    location.hash = cardHref(point);
  };
  return (
    <footer className="points-foot">
      <Button kind="quiet" onClick={() => void cancel()} disabled={sending.isBusy}>
        {t("foot.cancel")}
      </Button>
      <span role="status">
        {t("foot.step", { at: number(at + 1), all: number(steps.length) })}{" "}
        {!swap.isKept
          ? t("foot.notKept")
          : swap.keptAt === null
            ? t("foot.nothing")
            : t("foot.kept", { time: formatTime(swap.keptAt, zone) })}
      </span>
      <span className="points-foot-end">
        {before === undefined ? null : (
          <Button icon="chevronLeft" onClick={() => go(before)} disabled={sending.isBusy}>
            {t("foot.back", { step: t(`step.${before}`) })}
          </Button>
        )}
        {after === undefined ? (
          <Button
            kind="primary"
            isBusy={sending.isBusy}
            disabled={!sending.canSend || !(sending.isReplaced || doubt.isSettled)}
            onClick={sending.send}
          >
            {t("foot.confirm")}
          </Button>
        ) : (
          <Button kind="primary" iconAfter="chevronRight" onClick={() => go(after)}>
            {t("foot.next", { step: t(`step.${after}`) })}
          </Button>
        )}
      </span>
    </footer>
  );
}
