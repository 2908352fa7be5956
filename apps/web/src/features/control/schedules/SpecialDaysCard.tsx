import { dayOfYear, daysInMonth, type TariffSchedule } from "@metrum/vocabulary";
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Answer, SendOptions } from "#lib/call";
import { Button, IconButton } from "#ui/button";
import { SelectField, type Option } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { Card } from "../Card.tsx";
import { CardFoot } from "../cards/CardFoot.tsx";
import { faultsOf, isTimeFault, namesUnder, scheduleOf, valuesOf, type TariffValues } from "./tariffForm.ts";
import { TariffTimes } from "./TariffTimes.tsx";
import { YearDays } from "./YearDays.tsx";

/** Days of the year with a schedule of their own, as on the wire. */
export interface SpecialDaysValue {
  readonly day_list: readonly string[];
  readonly shedule: TariffSchedule;
}

interface Props {
  readonly wanted: SpecialDaysValue | undefined;
  /** The days of the device, if they were read. */
  readonly present: SpecialDaysValue | undefined;
  readonly isDisabled?: boolean;
  /** The verb of the button. */
  readonly action?: string;
  readonly isDraft?: boolean;
  /** Further buttons. */
  readonly actions?: ReactNode;
  readonly card?: Omit<ComponentProps<typeof Card>, "title" | "children">;
  /** How the last command of the card ended. */
  readonly outcome?: ReactNode;
  readonly save: (
    days: { readonly day_list: string[]; readonly shedule: ReturnType<typeof scheduleOf> },
    options: SendOptions,
  ) => Promise<Answer<unknown> | undefined>;
  readonly onSaved?: () => unknown;
}

type Values = TariffValues & { readonly days: readonly string[] };

/** Fields by the names under which the server refuses them. */
const refusedNames = namesUnder("special_days.shedule");

/** Special days, MM-DD, and the tariffs of such a day. */
export function SpecialDaysCard({ wanted, present, isDisabled = false, save, onSaved, ...props }: Props) {
  const { t } = useTranslation("control");
  const filled = wanted ?? present;
  const form = useForm<Values, unknown>({
    stored: { ...valuesOf(filled?.shedule), days: filled?.day_list ?? [] },
    check: faultsOf,
    names: refusedNames,
    words: (code) => (isTimeFault(code) ? t(`fault.${code}`) : undefined),
    send: ({ days, ...values }, options) =>
      save({ day_list: [...days], shedule: scheduleOf(values) }, options),
    ...(onSaved ? { onSaved } : {}),
  });
  const { days } = form.values;
  const presentDays = present?.day_list ?? [];
  const only = wanted ? presentDays.filter((day) => !days.includes(day)) : [];
  return (
    <Card
      title={t("specialDays.title")}
      {...props.card}
      note={t("specialDays.count", { count: days.length })}
    >
      <Form form={form} aria-label={t("specialDays.title")}>
        <fieldset className="control-days" disabled={isDisabled}>
          <DayChoice onAdd={(day) => form.set({ days: withDay(days, day) })} />
          <YearDays days={days} present={presentDays} onDays={(next) => form.set({ days: next })} />
          <DayList days={days} onDays={(next) => form.set({ days: next })} />
          {only.length > 0 ? (
            <p className="control-note" role="status">
              {t("specialDays.onlyPresent", { days: only.join(", ") })}
            </p>
          ) : null}
        </fieldset>
        <TariffTimes form={form} present={wanted ? present?.shedule : undefined} disabled={isDisabled} />
        <CardFoot
          actions={props.actions}
          onTake={present && (() => form.set({ ...valuesOf(present.shedule), days: present.day_list }))}
          action={props.action ?? t("specialDays.save")}
          isBusy={form.isBusy}
          isDisabled={isDisabled}
          isEmpty={form.values.count === 0}
        />
      </Form>
      {props.outcome}
    </Card>
  );
}

const withDay = (days: readonly string[], day: string) => [...new Set([...days, day])].sort();

/** The chosen days, each with its removal; a hint without any. */
function DayList(props: {
  readonly days: readonly string[];
  readonly onDays: (days: readonly string[]) => void;
}) {
  const { days, onDays } = props;
  const { t } = useTranslation("control");
  if (days.length === 0)
    return (
      <p className="control-note" role="status">
        {t("specialDays.none")}
      </p>
    );
  return (
    <ul className="control-chips" aria-label={t("specialDays.list")}>
      {days.map((day) => (
        <li key={day}>
          <b>{day}</b>
          <IconButton
            icon="close"
            size="small"
            label={t("specialDays.remove", { day })}
            onClick={() => onDays(days.filter((each) => each !== day))}
          />
        </li>
      ))}
    </ul>
  );
}

const numbers = (most: number): Option[] =>
  Array.from({ length: most }, (_, at) => ({ value: String(at + 1), title: String(at + 1) }));

/** A month and one of its days; another month starts with its first day. */
function DayChoice({ onAdd }: { readonly onAdd: (day: string) => void }) {
  const { t } = useTranslation("control");
  const [[month, day], setChosen] = useState<readonly [number, number]>([1, 1]);
  return (
    <div className="control-day-choice">
      <SelectField
        label={t("specialDays.month")}
        options={numbers(12)}
        value={String(month)}
        onValue={(chosen) => setChosen([Number(chosen), 1])}
      />
      <SelectField
        label={t("specialDays.day")}
        options={numbers(daysInMonth(month))}
        value={String(day)}
        onValue={(chosen) => setChosen([month, Number(chosen)])}
      />
      <Button icon="plus" onClick={() => onAdd(dayOfYear(month, day))}>
        {t("specialDays.add")}
      </Button>
    </div>
  );
}
