import type { TariffSchedule } from "@metrum/vocabulary";
import type { ComponentProps, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, SendOptions } from "#lib/call";
import { Form, useForm } from "#ui/form";
import { say } from "#ui/snackbar";
import { Card } from "../Card.tsx";
import { CardFoot } from "../cards/CardFoot.tsx";
import { faultsOf, isTimeFault, namesUnder, scheduleOf, valuesOf } from "./tariffForm.ts";
import { TariffTimes } from "./TariffTimes.tsx";

interface Props {
  /** The schedule that is to apply, as it is stored. */
  readonly wanted: TariffSchedule | undefined;
  /** The schedule of the device, if it was read. */
  readonly present: TariffSchedule | undefined;
  readonly isDisabled?: boolean;
  /** The verb of the button. */
  readonly action?: string;
  /** It is taken as it is, and neither stored nor written here. */
  readonly isDraft?: boolean;
  /** Further buttons. */
  readonly actions?: ReactNode;
  readonly card?: Omit<ComponentProps<typeof Card>, "title" | "children">;
  /** How the last command of the card ended. */
  readonly outcome?: ReactNode;
  readonly save: (
    schedule: ReturnType<typeof scheduleOf>,
    options: SendOptions,
  ) => Promise<Answer<unknown> | undefined>;
  readonly onSaved?: () => unknown;
}

/** Fields by the names under which the server refuses them. */
const refusedNames = namesUnder("schedule_electro");

/** The tariffs of a day: their number and the ends of their intervals. */
export function TariffCard({ wanted, present, isDisabled = false, save, onSaved, ...props }: Props) {
  const { t } = useTranslation("control");
  const form = useForm({
    stored: valuesOf(wanted ?? present),
    check: faultsOf,
    names: refusedNames,
    words: (code) => (isTimeFault(code) ? t(`fault.${code}`) : undefined),
    isSilent: true,
    send: (values, options) => save(scheduleOf(values), options),
    onSaved: async () => {
      if (!props.isDraft) void say("devices.edit.success", {}, "brief");
      await onSaved?.();
    },
  });
  return (
    <Card title={t("tariffs.title")} note={t("tariffs.hint")} {...props.card}>
      <Form form={form} aria-label={t("tariffs.title")}>
        <TariffTimes form={form} present={wanted ? present : undefined} disabled={isDisabled} />
        <CardFoot
          actions={props.actions}
          onTake={present && (() => form.set(valuesOf(present)))}
          action={props.action ?? t("save")}
          isBusy={form.isBusy}
          isDisabled={isDisabled}
          isEmpty={form.values.count === 0}
        />
      </Form>
      {props.outcome}
    </Card>
  );
}
