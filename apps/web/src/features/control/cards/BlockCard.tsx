import { schedules } from "@metrum/contract/core";
import type { DeviceCommand } from "@metrum/contract/headend";
import { commandOf } from "@metrum/vocabulary";
import { useState, type ComponentProps, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { formatDateTime, formatTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { ArgumentForm } from "../arguments/ArgumentForm.tsx";
import { Card } from "../Card.tsx";
import { isTold, knownArguments, knownTasks, toldAt } from "../known.ts";
import type { Block, OfferedCommand } from "../offered.ts";
import { Outcome } from "../outcome/Outcome.tsx";
import { Parameters, RawAnswer } from "./Parameters.tsx";
import { presentDays, presentTariffs, type Status } from "../present.ts";
import { SchedulerCard } from "../schedules/SchedulerCard.tsx";
import { SpecialDaysCard } from "../schedules/SpecialDaysCard.tsx";
import { TariffCard } from "../schedules/TariffCard.tsx";
import { ToggleCommand } from "./ToggleCommand.tsx";
import { TwoState } from "./TwoState.tsx";
import type { Target } from "../target.ts";
import { isOpen } from "../useControl.ts";
import type { Issue } from "../useIssue.ts";
import { useLoad } from "../useLoad.ts";

interface Props {
  readonly block: Block;
  readonly target: Target;
  /** Commands to the target, newest first. */
  readonly commands: readonly DeviceCommand[];
  /** The command that is on its way. */
  readonly open: DeviceCommand | undefined;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

const ownCards: readonly string[] = ["set_shedule_tariff", "set_special_day"];

/** A block of commands: its state, what can be read and set, and how its last command ended. */
export function BlockCard(props: Props) {
  const { block, target, commands, isDisabled, issue } = props;
  const { t } = useTranslation("control");
  const { zone } = useSession();
  const [isFolded, setFolded] = useState(false);
  const at = toldAt(block.id, target.status);
  const never = isTold(block.id) ? t("neverRead") : undefined;
  const isOwn = ({ key }: DeviceCommand) => block.commands.some(({ command }) => command.key === key);
  const last = commands.find(isOwn);
  const card = {
    group: block.group,
    isOpen: last !== undefined && isOpen(last),
    note: at === undefined ? never : t("readAt", { time: formatDateTime(at, zone) }),
    isFolded,
    onFold: setFolded,
  };
  const outcome = last && <Outcome command={last} isDisabled={isDisabled} issue={issue} />;
  const reading = block.commands.filter(({ command }) => !command.changesDevice);
  const own = block.commands.find(({ command }) => ownCards.includes(command.key));
  if (own) {
    const Own = own.command.key === "set_shedule_tariff" ? Tariffs : Days;
    return (
      <Own
        {...props}
        offered={own}
        card={card}
        outcome={outcome}
        actions={<Actions {...props} commands={reading} />}
      />
    );
  }
  const scheduler = block.commands.find(({ command }) => command.key === "task_id");
  if (scheduler) return <Tasks {...props} offered={scheduler} />;
  const settings = block.commands.filter(({ fields }) => fields.length > 0);
  return (
    <Card title={t(`block.${block.id}`)} {...card}>
      {block.id === "clock" ? <Clock status={target.status} /> : null}
      {block.id === "parameters" ? <Parameters status={target.status} /> : null}
      {block.id === "raw" ? <RawAnswer status={target.status} /> : null}
      {block.id === "power" || block.id === "valve" ? <Load target={target} /> : null}
      {settings.map((offered) => (
        <Setting key={offered.command.key} {...props} offered={offered} isOnly={settings.length === 1} />
      ))}
      <Actions {...props} commands={block.commands.filter(({ fields }) => fields.length === 0)} />
      {outcome}
    </Card>
  );
}

/** What a switch would interrupt. */
function Load({ target }: { readonly target: Target }) {
  const load = useLoad(target);
  return load === "" ? null : <p>{load}</p>;
}

/** Commands without arguments. */
function Actions({
  commands,
  isDisabled,
  issue,
}: Pick<Props, "isDisabled" | "issue"> & { readonly commands: readonly OfferedCommand[] }) {
  const { language } = useFormat();
  if (commands.length === 0) return null;
  return (
    <div className="control-actions">
      {commands.map(({ command }) => (
        <Button
          key={command.key}
          {...(command.changesDevice ? {} : { icon: "refresh" as const })}
          disabled={isDisabled}
          onClick={() => void issue(command, 1)}
        >
          {command.title[language]}
          {command.changesDevice && command.confirmation ? "…" : null}
        </Button>
      ))}
    </div>
  );
}

type SettingProps = Props & { readonly offered: OfferedCommand };

function Setting(props: SettingProps & { readonly isOnly: boolean }) {
  const { offered, open, isDisabled, issue, isOnly } = props;
  const { status } = props.target;
  const { command, fields } = offered;
  const known = knownArguments(command.key, status);
  const [first] = fields;
  if (command.key === "power" || command.key === "valve")
    return (
      <TwoState
        offered={offered}
        known={status[command.key] ?? status["relay_state"]}
        isOpen={open !== undefined}
        isDisabled={isDisabled}
        issue={issue}
      />
    );
  if (fields.length === 1 && first?.kind === "switch")
    return <ToggleCommand offered={offered} known={known[first.key]} isDisabled={isDisabled} issue={issue} />;
  return <ArgumentForm {...{ offered, known, isDisabled, issue, isOnly }} />;
}

/** The clock of the device when it was read, and how far it was off. */
function Clock({ status }: { readonly status: Status }) {
  const { t } = useTranslation("control");
  const { zone } = useSession();
  const { number } = useFormat();
  const time = status["device_time"];
  const at = toldAt("clock", status);
  if (typeof time !== "number" || at === undefined) return null;
  return (
    <p>
      {t("clock.read", {
        time: formatTime(time, zone),
        server: formatTime(at, zone),
        drift: number(time - at),
      })}
    </p>
  );
}

type OwnProps = SettingProps & {
  readonly card: Omit<ComponentProps<typeof Card>, "title" | "children">;
  readonly outcome: ReactNode;
  readonly actions: ReactNode;
};

/** The schedule is stored for the device, then written into it. */
function Tariffs({ offered, target, isDisabled, issue, card, outcome, actions }: OwnProps) {
  const { t } = useTranslation("control");
  const body = { device_id: target.id };
  const stored = useCall(schedules.get, { body }, { isQuiet: true }).data?.schedule.rules;
  return (
    <TariffCard
      wanted={stored?.tariff}
      present={presentTariffs(target.status)}
      isDisabled={isDisabled}
      action={t("write")}
      actions={actions}
      card={card}
      outcome={outcome}
      save={async (schedule_electro, options) => {
        const saved = await exchange(schedules.saveElectro, { body: { ...body, schedule_electro } }, options);
        void issue(offered.command, schedule_electro);
        return saved;
      }}
      onSaved={() => refetch(schedules.get)}
    />
  );
}

/** The scheduler: tasks that the device has told, and one to write. */
function Tasks({ offered: { command }, target, isDisabled, issue }: SettingProps) {
  const readBack =
    command.changesDevice && command.readBack !== undefined ? commandOf(command.readBack) : undefined;
  return (
    <SchedulerCard
      bounds={target.controls["lartech_settings"]?.settings ?? {}}
      tasks={knownTasks(target.status)}
      isDisabled={isDisabled}
      onRefresh={() => readBack && void issue(readBack, 1)}
      save={async (task) => {
        await issue(command, task);
        return { data: {}, msg: "" };
      }}
    />
  );
}

function Days({ offered, target, isDisabled, issue, card, outcome, actions }: OwnProps) {
  const { t } = useTranslation("control");
  const body = { device_id: target.id };
  const stored = useCall(schedules.get, { body }).data?.schedule.rules;
  return (
    <SpecialDaysCard
      wanted={stored?.special_days}
      present={presentDays(target.status)}
      // Saving replaces all rules: those that are stored must be known.
      isDisabled={isDisabled || stored === undefined}
      action={t("write")}
      actions={actions}
      card={card}
      outcome={outcome}
      save={async (special_days, options) => {
        const schedule = { rules: { ...stored, special_days } };
        const saved = await exchange(schedules.save, { body: { ...body, schedule } }, options);
        void issue(offered.command, special_days);
        return saved;
      }}
      onSaved={() => refetch(schedules.get)}
    />
  );
}
