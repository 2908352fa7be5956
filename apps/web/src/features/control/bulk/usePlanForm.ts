import type { ReplyOf } from "@metrum/contract/core";
import { control, tasks, type ControlPlan } from "@metrum/contract/headend";
import type { Command } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { useFormat } from "#lib/format";
import { useForm, type FormState } from "#ui/form";
import { detailsOf } from "../outcome/details.ts";
import type { Devices } from "./commandList.ts";

/** When the task stops, and what the user proves. */
export interface PlanValues {
  readonly stop_after: number | null;
  readonly device_count: number | null;
  readonly current_password: string;
  readonly one_t_p: string;
}

/** Failures after which the rest of a command that changes devices is cancelled, unless the user says otherwise. */
const usualStop = 10;

interface Asked {
  readonly plan: ControlPlan;
  readonly devices: Devices;
  readonly command: Command;
  readonly given: unknown;
  readonly management: Record<string, unknown>;
  readonly onSent: (taskId: number) => void;
}

/** Starts the command as a task, for the devices that can carry it out. */
export function usePlanForm(asked: Asked): FormState<PlanValues> {
  const { t } = useTranslation("bulkControl");
  const { number } = useFormat();
  const { plan, devices, command, given, management, onSent } = asked;
  const stored: PlanValues = {
    ...{ stop_after: command.changesDevice ? usualStop : null, device_count: null },
    ...{ current_password: "", one_t_p: "" },
  };
  const titleIn = (language: "ru" | "en") =>
    [command.title[language], detailsOf(command, given, language)].filter((each) => each !== "").join(": ");
  return useForm<PlanValues, ReplyOf<typeof tasks.create>>({
    stored,
    check: (values) => faultsOf(plan, values),
    words: (code) => {
      if (code === "count") return t("fault.count", { shown: number(plan.able_count, 0) });
      return code === "proof" ? t("fault.proof") : undefined;
    },
    send: ({ stop_after, ...proof }, options) => {
      const body = {
        ...{ command_type: "control" as const, title: titleIn("ru"), title_en: titleIn("en") },
        ...{ management, ...devices, skip_unable: true, checked: plan.checked },
        ...(stop_after === null ? {} : { stop_after }),
        ...provedBy(proof),
      };
      return exchange(tasks.create, { body }, options);
    },
    // The list is checked anew: the user sees what has changed.
    onRefused: ({ code }) => void (code === "control_others" && refetch(control.plan)),
    onSaved: ({ device_task }) => onSent(device_task.id),
  });
}

/** What is missing of the proof, by field. */
function faultsOf({ needs, able_count }: ControlPlan, values: PlanValues) {
  const { device_count, current_password, one_t_p } = values;
  const secret = needs.includes("current_password") ? "current_password" : "one_t_p";
  const isProved = !needs.includes(secret) || current_password !== "" || one_t_p !== "";
  return {
    ...(needs.includes("device_count") && device_count !== able_count ? { device_count: "count" } : {}),
    ...(isProved ? {} : { [secret]: "proof" }),
  };
}

/** The code if there is one, else the password. */
function provedBy({ device_count, current_password, one_t_p }: Omit<PlanValues, "stop_after">) {
  const secret = one_t_p === "" ? { current_password } : { one_t_p };
  return {
    ...(device_count === null ? {} : { device_count }),
    ...(one_t_p === "" && current_password === "" ? {} : secret),
  };
}
