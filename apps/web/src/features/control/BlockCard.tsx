import { schedules } from "@metrum/contract";
import { commandOf } from "@metrum/vocabulary";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { exchange, refetch, useCall } from "#lib/call";
import { formatDateTime, formatTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { ArgumentForm } from "./ArgumentForm.tsx";
import { Card } from "./Card.tsx";
import { knownArguments, knownTasks, toldAt } from "./known.ts";
import type { Block, OfferedCommand } from "./offered.ts";
import { presentDays, presentTariffs, type Status } from "./present.ts";
import { SchedulerCard } from "./SchedulerCard.tsx";
import { SpecialDaysCard } from "./SpecialDaysCard.tsx";
import { TariffCard } from "./TariffCard.tsx";
import { ToggleCommand } from "./ToggleCommand.tsx";
import { TwoState } from "./TwoState.tsx";
import type { Device, Issue } from "./useIssue.ts";

interface Props {
  readonly block: Block;
  readonly device: Device;
  readonly status: Status;
  /** A command is on its way to the device. */
  readonly isOpen: boolean;
  readonly isDisabled: boolean;
  readonly issue: Issue;
}

const ownCards: readonly string[] = ["set_shedule_tariff", "set_special_day"];

/** A block of commands: its state, and what can be read and set. */
export function BlockCard(props: Props) {
  const { block, status } = props;
  const { t } = useTranslation("control");
  const { zone } = useSession();
  const [isFolded, setFolded] = useState(false);
  const at = toldAt(block.id, status);
  const note = at === undefined ? t("neverRead") : t("readAt", { time: formatDateTime(at, zone) });
  const reading = block.commands.filter(({ command }) => !command.changesDevice);
  const buttons = <Actions {...props} commands={reading} />;
  const own = block.commands.find(({ command }) => ownCards.includes(command.key));
  if (own?.command.key === "set_shedule_tariff")
    return <Tariffs {...props} offered={own} actions={buttons} />;
  if (own?.command.key === "set_special_day") return <Days {...props} offered={own} actions={buttons} />;
  const scheduler = block.commands.find(({ command }) => command.key === "task_id");
  if (scheduler) return <Tasks {...props} offered={scheduler} />;
  return (
    <Card title={t(`block.${block.id}`)} note={note} isFolded={isFolded} onFold={setFolded}>
      {block.id === "clock" ? <Clock status={status} /> : null}
      {block.commands
        .filter(({ fields }) => fields.length > 0)
        .map((offered) => (
          <Setting key={offered.command.key} {...props} offered={offered} />
        ))}
      <Actions {...props} commands={block.commands.filter(({ fields }) => fields.length === 0)} />
    </Card>
  );
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
        </Button>
      ))}
    </div>
  );
}

type SettingProps = Props & { readonly offered: OfferedCommand };

function Setting({ offered, status, isOpen, isDisabled, issue }: SettingProps) {
  const { command, fields } = offered;
  const known = knownArguments(command.key, status);
  const [first] = fields;
  if (command.key === "power" || command.key === "valve")
    return (
      <TwoState
        offered={offered}
        known={status[command.key] ?? status["relay_state"]}
        isOpen={isOpen}
        isDisabled={isDisabled}
        issue={issue}
      />
    );
  if (fields.length === 1 && first?.kind === "switch")
    return <ToggleCommand offered={offered} known={known[first.key]} isDisabled={isDisabled} issue={issue} />;
  return <ArgumentForm offered={offered} known={known} isDisabled={isDisabled} issue={issue} />;
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

type OwnProps = SettingProps & { readonly actions: ReactNode };

/** The schedule is stored for the device, then written into it. */
function Tariffs({ offered, device, status, isDisabled, issue, actions }: OwnProps) {
  const { t } = useTranslation("control");
  const body = { device_id: device.id };
  const stored = useCall(schedules.get, { body }, { isQuiet: true }).data?.schedule.rules;
  return (
    <TariffCard
      wanted={stored?.tariff}
      present={presentTariffs(status)}
      isDisabled={isDisabled}
      action={t("write")}
      actions={actions}
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
function Tasks({ offered: { command }, device, status, isDisabled, issue }: SettingProps) {
  const readBack =
    command.changesDevice && command.readBack !== undefined ? commandOf(command.readBack) : undefined;
  return (
    <SchedulerCard
      bounds={device.model.options.control["lartech_settings"]?.settings ?? {}}
      tasks={knownTasks(status)}
      isDisabled={isDisabled}
      onRefresh={() => readBack && void issue(readBack, 1)}
      save={async (task) => {
        await issue(command, task);
        return { data: {}, msg: "" };
      }}
    />
  );
}

function Days({ offered, device, status, isDisabled, issue, actions }: OwnProps) {
  const { t } = useTranslation("control");
  const body = { device_id: device.id };
  const stored = useCall(schedules.get, { body }, { isQuiet: true }).data?.schedule.rules;
  return (
    <SpecialDaysCard
      wanted={stored?.special_days}
      present={presentDays(status)}
      isDisabled={isDisabled}
      action={t("write")}
      actions={actions}
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
