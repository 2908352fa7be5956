import { models, type DeviceModel } from "@metrum/contract/metering";
import type { Command } from "@metrum/vocabulary";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { FreezeNote } from "#freeze";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { TaskWatch } from "#tasks";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import { Skeleton } from "#ui/skeleton";
import type { OfferedCommand } from "../offered.ts";
import { ArgumentsStep } from "./ArgumentsStep.tsx";
import "./bulk.css";
import { bulkBlocks, type Devices } from "./commandList.ts";
import { CommandNav } from "./CommandNav.tsx";
import { PlanStep } from "./PlanStep.tsx";

interface Props {
  readonly devices: Devices;
  /** Number of the devices. */
  readonly count: number;
  /** Models of the devices; absent: any model. */
  readonly modelIds?: readonly number[] | undefined;
  readonly onClose: () => void;
}

type Step =
  | { readonly name: "choose" }
  | { readonly name: "fill"; readonly offered: OfferedCommand; readonly given?: unknown }
  | { readonly name: "plan"; readonly offered: OfferedCommand; readonly given: unknown }
  | { readonly name: "sent"; readonly command: Command; readonly taskId: number };

/** A command to many devices: its arguments, which devices can do it, then the outcome of each. */
export function BulkControlDialog({ devices, count, modelIds, onClose }: Props) {
  const { t } = useTranslation("bulkControl");
  const { number, language } = useFormat();
  const known = useCall(models.devices, { body: {} }, { freshMs: 3_600_000, isQuiet: true }).data;
  const [step, setStep] = useState<Step>({ name: "choose" });
  const chosen = step.name === "fill" || step.name === "plan" ? step.offered : undefined;
  const choose = (offered: OfferedCommand) =>
    setStep(offered.fields.length === 0 ? { name: "plan", offered, given: 1 } : { name: "fill", offered });
  return (
    <Dialog
      title={t("title", { count, shown: number(count, 0) })}
      size={950}
      onClose={onClose}
      closesOutside={false}
      isDirty={step.name === "plan"}
    >
      <div className="bulk-freeze">
        <FreezeNote />
      </div>
      {known === undefined ? (
        <Skeleton height={320} />
      ) : step.name === "sent" ? (
        <section className="bulk-sent">
          <h3>{step.command.title[language]}</h3>
          <Suspense>
            <TaskWatch taskId={step.taskId} onRepeated={(taskId) => setStep({ ...step, taskId })} />
          </Suspense>
        </section>
      ) : (
        <div className="bulk-control" data-chosen={chosen === undefined ? undefined : ""}>
          <CommandNav
            blocks={bulkBlocks(chosenModels(known.metering_devices, modelIds))}
            chosen={chosen?.command.key}
            onChoose={choose}
          />
          <section className="bulk-step" aria-label={chosen?.command.title[language] ?? t("choose")}>
            {chosen === undefined ? null : (
              <Button kind="link" icon="chevronLeft" onClick={() => setStep({ name: "choose" })}>
                {t("another")}
              </Button>
            )}
            {step.name === "choose" ? <p className="bulk-note">{t("choose")}</p> : null}
            {step.name === "fill" ? (
              <ArgumentsStep
                key={step.offered.command.key}
                offered={step.offered}
                given={step.given}
                onGiven={(given) => setStep({ name: "plan", offered: step.offered, given })}
              />
            ) : null}
            {step.name === "plan" ? (
              <PlanStep
                devices={devices}
                command={step.offered.command}
                given={step.given}
                onChange={
                  step.offered.fields.length === 0 ? undefined : () => setStep({ ...step, name: "fill" })
                }
                onSent={(taskId) => setStep({ name: "sent", command: step.offered.command, taskId })}
              />
            ) : null}
          </section>
        </div>
      )}
    </Dialog>
  );
}

const chosenModels = (all: readonly DeviceModel[], ids: readonly number[] | undefined) =>
  ids === undefined ? all : all.filter(({ id }) => ids.includes(id));
