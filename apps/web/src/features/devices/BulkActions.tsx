import { ties } from "@metrum/contract/accounting";
import { pollPlan, tasks } from "@metrum/contract/headend";
import {
  deviceChanges,
  devices,
  type DeviceChangeAction,
  type DeviceListInput,
} from "@metrum/contract/metering";
import { Suspense, useState, type ComponentProps } from "react";
import { isPermitted, placeInput, type Place } from "#carriers";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { refetch, send, useCall } from "#lib/call";
import { formatTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { BulkButton, type GridWhole } from "#ui/grid";
import { BulkControlDialog } from "#control";
import { WholeButton } from "#ui/list";
import { confirm } from "#ui/dialog";
import { BulkArchiveDialog } from "#requests";
import { snack } from "#ui/snackbar";
import { type DeviceRow } from "./devices.ts";
import { changeMany, selectionOf, type Chosen } from "./changeMany.ts";
import { moveToArchive, moveToTrash, requestPoll } from "./moves.ts";

const TieUsersDialog = lazily(async () => ({
  default: (await import("./TieUsersDialog.tsx")).TieUsersDialog,
}));

const TieManyDialog = lazily(async () => ({
  default: (await import("./TieManyDialog.tsx")).TieManyDialog,
}));

interface Props {
  readonly keys: readonly string[];
  readonly clear: () => void;
  readonly whole: GridWhole;
  readonly rows: readonly DeviceRow[];
  readonly place: Place;
  /** The list whose rows are selected, and the number of all its rows. */
  readonly input: DeviceListInput;
  readonly total: number;
}

/** Bulk actions on the selected devices, or on all of the filter: then each is a task. */
export function BulkActions({ input, total, ...props }: Props) {
  const { keys, clear, place, whole } = props;
  return (
    <>
      {total > keys.length ? <WholeButton whole={whole} total={total} /> : null}
      {whole.isWhole ? (
        <>
          {place === "present" ? (
            <>
              <PollButton filter={wholeControl(input).devices.filter} count={total} clear={clear} />
              <ControlButton {...wholeControl(input)} count={total} />
            </>
          ) : null}
          <TaskButtons
            actions={wholeActions[place]}
            chosen={{ filter: selectionOf(input), count: total }}
            clear={clear}
          />
        </>
      ) : (
        <SelectedActions {...props} />
      )}
    </>
  );
}

interface PollProps {
  readonly filter: NonNullable<Parameters<typeof requestPoll>[0]["filter"]>;
  readonly count: number;
  readonly clear: () => void;
}

/** Polls all of the filter, after a question with their number. */
function PollButton({ filter, count, clear }: PollProps) {
  const { t } = useTranslation(["devices", "deviceBulk"]);
  const { number } = useFormat();
  const [isBusy, setBusy] = useState(false);
  if (!useAllowed("4:read|4:update")) return null;
  const poll = async () => {
    const isSure = await confirm({
      title: t("deviceBulk:confirm.poll", { count, shown: number(count, 0) }),
      text: t("deviceBulk:asTask"),
      action: t("pollNow"),
    });
    if (!isSure) return;
    setBusy(true);
    if (await requestPoll({ filter })) {
      snack(t("pollSent", { count }));
      clear();
    }
    setBusy(false);
  };
  return (
    <BulkButton isFirst disabled={isBusy} onClick={() => void poll()}>
      {t("pollNow")}
    </BulkButton>
  );
}

/** A command to all of the filter; the models are known if the filter names them. */
function wholeControl(input: DeviceListInput) {
  const { gateway_ids: _, ...filter } = selectionOf(input);
  const { model_id } = filter;
  return { devices: { filter }, modelIds: model_id === undefined ? undefined : [model_id].flat() };
}

type ControlProps = Omit<ComponentProps<typeof BulkControlDialog>, "onClose">;

/** A command to many devices. */
function ControlButton(props: ControlProps) {
  const { t } = useTranslation("devices");
  const [isOpen, setOpen] = useState(false);
  if (!useAllowed("4:update")) return null;
  return (
    <>
      <BulkButton onClick={() => setOpen(isPermitted(tasks.create))}>{t("control")}</BulkButton>
      {isOpen ? (
        <Suspense>
          <BulkControlDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

const wholeActions: Readonly<Record<Place, readonly DeviceChangeAction[]>> = {
  present: ["switch_on", "switch_off", "period", "group", "tie", "untie", "archive", "trash"],
  archive: ["unarchive", "trash"],
  trash: ["restore", "remove"],
};

/** Words of the menu of a row for the same. */
const words: Readonly<Record<DeviceChangeAction, string>> = {
  switch_on: "devices:switchOn",
  switch_off: "devices:switchOff",
  period: "deviceBulk:period",
  group: "deviceBulk:group",
  tie: "devices:tieUsers",
  untie: "deviceBulk:untie",
  archive: "devices:menu.archive",
  unarchive: "devices:menu.unarchive",
  trash: "devices:menu.toTrash",
  restore: "devices:menu.restore",
  remove: "devices:menu.remove",
};

interface TaskProps {
  readonly actions: readonly DeviceChangeAction[];
  readonly chosen: Chosen;
  readonly clear: () => void;
}

/** Changes that are made as a task; those that the user may make. */
function TaskButtons({ actions, chosen, clear }: TaskProps) {
  const { t } = useTranslation(["deviceBulk", "devices"]);
  const { number, age } = useFormat();
  const [isBusy, setBusy] = useState(false);
  const may = {
    "4:update|4:access_all": useAllowed("4:update|4:access_all"),
    "4:delete|4:access_all": useAllowed("4:delete|4:access_all"),
    "4:read&1:read&6:read": useAllowed("4:read&1:read&6:read"),
  };
  const [tied, setTied] = useState<"tie" | "untie" | null>(null);
  const make = async (action: DeviceChangeAction) => {
    if (isOfTies(action)) {
      setTied(isPermitted(tasks.change) ? action : null);
      return;
    }
    setBusy(true);
    if (await changeMany(chosen, action, { t, number, age })) clear();
    setBusy(false);
  };
  return (
    <>
      {actions
        .filter((action) => may[deviceChanges[action].right])
        .map((action) => (
          <BulkButton key={action} disabled={isBusy} onClick={() => void make(action)}>
            {t(words[action])}
          </BulkButton>
        ))}
      {tied ? (
        <Suspense>
          <TieManyDialog action={tied} chosen={chosen} onMade={clear} onClose={() => setTied(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Actions on the selected rows. The call itself reports a failure, which keeps the selection. */
function SelectedActions({ keys, clear, rows, place }: Omit<Props, "input" | "total" | "whole">) {
  const { t } = useTranslation("devices");
  const [isBusy, setBusy] = useState(false);
  const [tied, setTied] = useState<DeviceRow | null>(null);
  const [isRequesting, setRequesting] = useState(false);
  const mayChange = useAllowed("4:update|4:access_all");
  const mayPoll = useAllowed("4:read|4:update");
  const mayTie = useAllowed("4:read&1:read&6:read");
  const [only] = keys.length === 1 ? rows.filter((row) => String(row.id) === keys[0]) : [];
  const switchAll = async (isActive: boolean) => {
    if (!isPermitted(devices.switchBulk)) return;
    setBusy(true);
    try {
      await send(devices.switchBulk, { body: { device_ids: keys.map(Number), is_active: isActive } });
      snack(t("switched", { count: keys.length }));
      await refetch(devices.list);
      clear();
    } catch {
      // Already reported; the devices stay selected for another attempt.
    }
    setBusy(false);
  };
  const pollAll = async () => {
    setBusy(true);
    if (await requestPoll({ device_ids: keys.map(Number) })) {
      snack(t("pollSent", { count: keys.length }));
      clear();
    }
    setBusy(false);
  };
  const isPresent = place === "present";
  const button = (
    key: "pollNow" | "requestArchive" | "switchOn" | "switchOff" | "tieUsers",
    onClick: () => void,
  ) => (
    <BulkButton isFirst={key === "pollNow"} disabled={isBusy} onClick={onClick}>
      {t(key)}
    </BulkButton>
  );
  return (
    <>
      {mayPoll && isPresent ? (
        <>
          {button("pollNow", () => void pollAll())}
          <PollEnd ids={keys.map(Number)} />
          {button("requestArchive", () => setRequesting(isPermitted(tasks.create)))}
        </>
      ) : null}
      {isPresent ? (
        <ControlButton
          devices={{ device_ids: keys.map(Number) }}
          count={keys.length}
          modelIds={modelsOf(rows, keys)}
        />
      ) : null}
      {mayChange && isPresent ? button("switchOn", () => void switchAll(true)) : null}
      {mayChange && isPresent ? button("switchOff", () => void switchAll(false)) : null}
      <TaskButtons
        actions={selectedActions(place, keys.length)}
        chosen={{ filter: { ids: keys.map(Number), ...placeInput(place) }, count: keys.length }}
        clear={clear}
      />
      <MoveButtons ids={keys.map(Number)} place={place} clear={clear} isBusy={isBusy} />
      {mayTie && only && isPresent
        ? button("tieUsers", () => setTied(isPermitted(ties.set) ? only : null))
        : null}
      {isRequesting ? (
        <Suspense>
          <BulkArchiveDialog
            deviceIds={keys.map(Number)}
            onSent={() => {
              setRequesting(false);
              clear();
            }}
            onClose={() => setRequesting(false)}
          />
        </Suspense>
      ) : null}
      {tied ? (
        <Suspense>
          <TieUsersDialog deviceId={tied.id} name={tied.name ?? ""} onClose={() => setTied(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Models of the selected rows; undefined if some are not on this page. */
function modelsOf(rows: readonly DeviceRow[], keys: readonly string[]): readonly number[] | undefined {
  const chosen = rows.filter(({ id }) => keys.includes(String(id)));
  const ids = chosen.flatMap(({ model_id }) => model_id ?? []);
  return ids.length === keys.length ? [...new Set(ids)] : undefined;
}

/** One device has a dialog with all its ties instead. */
const isOfTies = (action: DeviceChangeAction): action is "tie" | "untie" =>
  action === "tie" || action === "untie";

/** Of the selected rows too: changes without their own call. */
const taskActions: Readonly<Record<Place, readonly DeviceChangeAction[]>> = {
  present: ["period", "group", "tie", "untie"],
  archive: [],
  trash: ["remove"],
};

const selectedActions = (place: Place, count: number) =>
  taskActions[place].filter((action) => count > 1 || !isOfTies(action));

/** Devices of one request. */
const mostAsked = 1000;

/** When a poll of these devices would be done, as the server plans it. */
function PollEnd({ ids }: { readonly ids: readonly number[] }) {
  const { t } = useTranslation("devices");
  const { number } = useFormat();
  const { zone } = useSession();
  const { data } = useCall(
    pollPlan.get,
    { body: { device_ids: [...ids], is_campaign: true, per_page: 10 } },
    { isQuiet: true, keepsPrevious: true, isEnabled: ids.length <= mostAsked },
  );
  if (!data || data.plan.left_count === 0) return null;
  const { ends_at, unknown_count, stopped_count } = data.plan;
  const facts = [
    ...(ends_at === null ? [] : [t("pollEnds", { time: formatTime(ends_at, zone) })]),
    ...(unknown_count > 0 ? [t("pollUnknown")] : []),
    ...(stopped_count > 0
      ? [t("pollStopped", { count: stopped_count, shown: number(stopped_count, 0) })]
      : []),
  ];
  return <span role="status">{facts.join(" · ")}</span>;
}

interface MoveProps {
  readonly ids: readonly number[];
  readonly place: Place;
  readonly clear: () => void;
  readonly isBusy: boolean;
}

/** Where the selected devices can go from their place, with the words of the menu of a row. */
function MoveButtons({ ids, place, clear, isBusy }: MoveProps) {
  const { t } = useTranslation("devices");
  const [isMoving, setMoving] = useState(false);
  if (!useAllowed("4:delete|4:access_all")) return null;
  const button = (key: string, run: () => Promise<boolean>) => {
    const start = async () => {
      setMoving(true);
      if (await run()) clear();
      setMoving(false);
    };
    return (
      <BulkButton key={key} disabled={isBusy || isMoving} onClick={() => void start()}>
        {t(`menu.${key}`)}
      </BulkButton>
    );
  };
  const toTrash = button("toTrash", () => moveToTrash(ids, true));
  switch (place) {
    case "present":
      return [button("archive", () => moveToArchive(ids, true)), toTrash];
    case "archive":
      return [button("unarchive", () => moveToArchive(ids, false)), toTrash];
    case "trash":
      return button("restore", () => moveToTrash(ids, false));
  }
}
