import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { NumberField } from "#ui/field";
import type { KeptFile } from "./keptFiles.ts";
import { MomentField } from "../MomentField.tsx";
import { ReadingChecks } from "./ReadingChecks.tsx";
import type { useRegisters } from "../registers.tsx";
import type { SwapEnd } from "./replaceDraft.ts";
import { SwapFiles } from "./SwapFiles.tsx";
import { askedRegisters } from "./swapInput.ts";
import { SwapOutcome } from "./SwapOutcome.tsx";
import type { StepProps } from "./swapStep.ts";

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
          check={check}
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
          check={check}
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
  readonly check: StepProps["check"];
  readonly swap: StepProps["swap"];
}

/** One meter: when, its registers, what the last poll says to them, and photographs. */
function End({ side, title, meter, zone, known, main, end, onEnd, check, swap }: EndProps) {
  const { t } = useTranslation("pointReplacement");
  const registers = askedRegisters(known.all, main);
  const lastText = useLastText({ known, side, zone, check });
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
              hint={lastText(register)}
              unit={known.unitOf(register)}
              value={end.readings[register.field] ?? null}
              onValue={(value) => onEnd({ ...end, readings: { ...end.readings, [register.field]: value } })}
            />
          ))}
        </div>
        <ReadingChecks data={check.data} {...{ side, known, zone }} />
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

/** What a register was at the swap by the polls; later ones say nothing of its reading then. */
function useLastText({ known, side, zone, check }: Pick<EndProps, "known" | "side" | "zone" | "check">) {
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  return (register: (typeof known.all)[number]): string => {
    const told = check.data?.[side].find(({ field }) => field === register.field);
    if (told === undefined) return known.lastText(register);
    const { last_value, last_at, next_value, next_at } = told;
    if (last_value !== null && last_at !== null)
      return t("readings.before", {
        value: number(last_value, amountDecimals),
        at: formatDateTime(last_at, zone),
      });
    if (next_value !== null && next_at !== null)
      return t("readings.after", {
        value: number(next_value, amountDecimals),
        at: formatDateTime(next_at, zone),
      });
    return t("readings.none");
  };
}
