import { pollGroups, tasks } from "@metrum/contract/headend";
import { devices } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { DeviceTabs } from "#carriers";
import { FreezeNote } from "#freeze";
import { useCall } from "#lib/call";
import { useFormat } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { useAllowed } from "#lib/session";
import { Button, IconButton } from "#ui/button";
import { confirm } from "#ui/dialog";
import { BulkButton } from "#ui/grid";
import { ListPage, ListView, useChoosing, useList } from "#ui/list";
import { Statistics } from "./Statistics.tsx";
import { taskList } from "./taskList.tsx";
import "./tasks.css";
import { deviceOf, groupOf } from "./tasks.ts";
import { useTaskActions, type TaskActions } from "./useTaskActions.ts";
import { useTaskNews } from "./useTaskNews.ts";

/** Tasks of the company with live progress: what was requested of which devices, and with which outcome. */
export function TasksPage() {
  const { t } = useTranslation("tasks");
  const { number } = useFormat();
  const actions = useTaskActions();
  const mayCancel = useAllowed("4:update");
  const mayRepeat = useAllowed("4:read|4:update");
  const known = useCall(tasks.statuses, {}, { isQuiet: true, freshMs: 3_600_000 }).data?.statuses;
  const list = useList(taskList, { statuses: known ?? none, mayCancel, mayRepeat, actions });
  useTaskNews();
  const choosing = useChoosing();
  const { address, total } = list;
  const deviceId = deviceOf(address.state);
  const groupId = groupOf(address.state);
  const { device: _, group: __, ...others } = address.state.filters;
  const showEvery = () => address.change({ filters: others });
  const bulk = (keys: readonly string[], clear: () => void) => (
    <BulkButton
      isFirst
      disabled={actions.isBusy}
      onClick={() => void actions.cancel(keys.map(Number)).then((isDone) => isDone && clear())}
    >
      {t("cancelChosen")}
    </BulkButton>
  );
  return (
    <ListPage className="tasks" title={t("devices")}>
      <DeviceTabs
        current="tasks"
        count={total === undefined ? "" : number(total, 0)}
        onReset={address.reset}
      />
      <div className="task-freeze">
        <FreezeNote />
      </div>
      <Statistics deviceId={deviceId} groupId={groupId} statuses={known ?? none} />
      <ListView
        list={list}
        isImmediate
        tools={
          deviceId !== undefined ? (
            <OnlyDevice id={deviceId} actions={mayCancel ? actions : undefined} onClear={showEvery} />
          ) : groupId !== undefined ? (
            <OnlyGroup id={groupId} actions={mayCancel ? actions : undefined} onClear={showEvery} />
          ) : null
        }
        footNote={t("goOn")}
        {...(mayCancel ? { ...choosing, bulk } : {})}
      />
    </ListPage>
  );
}

const none: readonly never[] = [];

interface OnlyProps {
  readonly id: number;
  /** Undefined without the right to cancel. */
  readonly actions: TaskActions | undefined;
  readonly onClear: () => void;
}

/** The device that the list is filtered by, with the end of all its requests. */
function OnlyDevice({ id, actions, onClear }: OnlyProps) {
  const { t } = useTranslation("tasks");
  const device = useCall(devices.get, { params: { id: String(id) } }, { isQuiet: true, freshMs: 60_000 });
  return (
    <Only
      name={device.data?.metering_device.name ?? t("goneDevice", { id })}
      href={deviceHref(id)}
      everything={t("everyDevice")}
      onCancel={actions && (() => actions.cancelOfDevice(id))}
      isBusy={actions?.isBusy ?? false}
      onClear={onClear}
    />
  );
}

/** The same for a poll group. */
function OnlyGroup({ id, actions, onClear }: OnlyProps) {
  const { t } = useTranslation("tasks");
  const group = useCall(pollGroups.get, { params: { id: String(id) } }, { isQuiet: true, freshMs: 60_000 });
  return (
    <Only
      name={group.data?.poll_group.name ?? t("goneGroup", { id })}
      href={`#/cloud/devices/group/${String(id)}`}
      everything={t("everyGroup")}
      onCancel={actions && (() => actions.cancelOfGroup(id))}
      isBusy={actions?.isBusy ?? false}
      onClear={onClear}
    />
  );
}

interface NamedProps extends Pick<OnlyProps, "onClear"> {
  readonly name: string;
  readonly href: string;
  /** Label of the button that ends the filter. */
  readonly everything: string;
  /** Cancels its tasks; undefined without the right. */
  readonly onCancel: (() => Promise<unknown>) | undefined;
  readonly isBusy: boolean;
}

function Only({ name, href, everything, onCancel, isBusy, onClear }: NamedProps) {
  const { t } = useTranslation("tasks");
  const cancelAll = async () => {
    const isSure = await confirm({
      title: t("cancelAll.title", { name }),
      text: t("cancelAll.text"),
      action: t("cancelAll.action"),
    });
    if (isSure) await onCancel?.();
  };
  return (
    <>
      <span className="task-device">
        <a href={href}>{name}</a>
        <IconButton icon="close" label={everything} onClick={onClear} />
      </span>
      {onCancel ? (
        <Button disabled={isBusy} onClick={() => void cancelAll()}>
          {t("cancelAll.action")}
        </Button>
      ) : null}
    </>
  );
}
