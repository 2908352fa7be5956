import type { pointDevices, ReplyOf } from "@metrum/contract";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { NumberField } from "#ui/field";
import { Status } from "#ui/status";
import type { KeptFile } from "./keptFiles.ts";
import { MomentField } from "./MomentField.tsx";
import { unitTitle } from "./points.ts";
import type { useRegisters } from "./registers.tsx";
import type { SwapEnd } from "./replaceDraft.ts";
import { SwapFiles } from "./SwapFiles.tsx";
import { askedRegisters } from "./swapInput.ts";
import { SwapOutcome } from "./SwapOutcome.tsx";
import type { StepProps } from "./swapStep.ts";

type Checks = ReplyOf<typeof pointDevices.checkReplacement>["closing"];

/** The readings of both meters, checked while they are typed, and what they do to the total. */
export function ReadingsStep(props: StepProps) {
  const { point, device, swap, old, next, check } = props;
  const { t } = useTranslation("pointReplacement");
  const { draft, put } = swap;
  const titleOfOld = `${device.model_title === "" ? device.name : device.model_title} №${device.deviceID}`;
  return (
    <div className="points-readings">
      <div className="points-readings-main">
        <End
          side="closing"
          title={t("readings.closing")}
          meter={titleOfOld}
          zone={point.timezone}
          known={old}
          main={device.field}
          end={draft.closing}
          onEnd={(closing) => put({ closing })}
          checks={check.data?.closing}
          swap={swap}
        />
        <End
          side="opening"
          title={t("readings.opening")}
          meter={[draft.device?.title, draft.device?.note].filter((each) => each !== undefined).join(", ")}
          zone={point.timezone}
          known={next}
          main={draft.field === "" ? next.main : draft.field}
          end={draft.opening}
          onEnd={(opening) => put({ opening })}
          checks={check.data?.opening}
          swap={swap}
        />
      </div>
      <SwapOutcome {...props} />
    </div>
  );
}

interface EndProps {
  readonly side: KeptFile["side"];
  readonly title: string;
  readonly meter: string;
  readonly zone: string;
  readonly known: ReturnType<typeof useRegisters>;
  readonly main: string | null;
  readonly end: SwapEnd;
  readonly onEnd: (end: SwapEnd) => void;
  readonly checks: Checks | undefined;
  readonly swap: StepProps["swap"];
}

/** One meter: when, its registers, what the last poll says to them, and photographs. */
function End({ side, title, meter, zone, known, main, end, onEnd, checks, swap }: EndProps) {
  const { t } = useTranslation("pointReplacement");
  const registers = askedRegisters(known.all, main);
  return (
    <section className="points-panel points-step" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="quiet">{meter}</span>
        <span className="points-tag">{t(`readings.tag.${side}`)}</span>
      </header>
      <div className="points-step-body">
        <div className="points-registers-entered">
          <MomentField
            label={t(`readings.at.${side}`)}
            hint={t(`readings.atHint.${side}`)}
            zone={zone}
            value={end.at}
            onValue={(at) => onEnd({ ...end, at })}
            isRequired={side === "closing"}
          />
          {registers.map((register) => (
            <NumberField
              key={register.field}
              label={known.titleOf(register)}
              hint={known.lastText(register)}
              unit={known.unitOf(register)}
              value={end.readings[register.field] ?? null}
              onValue={(value) => onEnd({ ...end, readings: { ...end.readings, [register.field]: value } })}
            />
          ))}
        </div>
        <ChecksList checks={checks} known={known} zone={zone} />
        <SwapFiles
          side={side}
          files={swap.files}
          zone={zone}
          fault={swap.fault}
          onAdd={swap.addFiles}
          onRemove={swap.removeFile}
        />
      </div>
    </section>
  );
}

const kinds = { ok: "ok", below: "alarm", above: "warn", unknown: "off" } as const;

/** Each entered reading against the last poll, as the server compares them. */
export function ChecksList(props: {
  readonly checks: Checks | undefined;
  readonly known: ReturnType<typeof useRegisters>;
  readonly zone: string;
}) {
  const { checks = [], known, zone } = props;
  const { t } = useTranslation("pointReplacement");
  const { number, language } = useFormat();
  const entered = checks.filter(({ given }) => given !== null);
  if (entered.length === 0) return null;
  return (
    <ul className="points-checks" aria-live="polite">
      {entered.map(({ field, unit, verdict, difference, last_value, last_at }) => {
        const register = known.find(field);
        const said = {
          register: register === undefined ? field : known.titleOf(register),
          difference:
            difference === null ? "" : `${number(Math.abs(difference))} ${unitTitle(unit, language)}`,
          last: last_value === null ? "" : number(last_value),
          at: last_at === null ? "" : formatDateTime(last_at, zone),
        };
        return (
          <li key={field}>
            <Status kind={kinds[verdict]}>{t(`verdict.${verdict}`, said)}</Status>
          </li>
        );
      })}
    </ul>
  );
}
