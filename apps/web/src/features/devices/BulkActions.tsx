import { devices, exchangeKinds, pollPlan, tasks, ties } from "@metrum/contract";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { refetch, send, useCall } from "#lib/call";
import { formatTime, useFormat } from "#lib/format";
import { useAllowed, useSession } from "#lib/session";
import { BulkButton } from "#ui/grid";
import { snack } from "#ui/snackbar";
import type { DeviceRow, Place } from "./devices.ts";
import { move } from "./move.ts";
import type { Moves } from "./moves.ts";
import { isPermitted } from "./permitted.ts";

const TieUsersDialog = lazy(async () => ({
  default: (await import("./TieUsersDialog.tsx")).TieUsersDialog,
}));

/** Bulk actions on the selected devices. The call itself reports a failure, which keeps the selection. */
export function BulkActions({
  keys,
  clear,
  rows,
  place,
}: {
  readonly keys: readonly string[];
  readonly clear: () => void;
  readonly rows: readonly DeviceRow[];
  readonly place: Place;
}) {
  const { t } = useTranslation("devices");
  const [isBusy, setBusy] = useState(false);
  const [tied, setTied] = useState<DeviceRow | null>(null);
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
    if (!isPermitted(tasks.create)) return;
    setBusy(true);
    // Of the task, which users of other languages see too.
    const { ru: title, en: title_en } = exchangeKinds.request.title;
    const body = { command_type: "poll" as const, title, title_en, device_ids: keys.map(Number) };
    await send(tasks.create, { body }).then(
      () => {
        snack(t("pollSent", { count: keys.length }));
        clear();
      },
      () => undefined,
    );
    setBusy(false);
  };
  const isPresent = place === "present";
  const button = (key: "pollNow" | "switchOn" | "switchOff" | "tieUsers", onClick: () => void) => (
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
        </>
      ) : null}
      {mayChange && isPresent ? button("switchOn", () => void switchAll(true)) : null}
      {mayChange && isPresent ? button("switchOff", () => void switchAll(false)) : null}
      <MoveButtons ids={keys.map(Number)} place={place} clear={clear} isBusy={isBusy} />
      {mayTie && only && isPresent
        ? button("tieUsers", () => setTied(isPermitted(ties.set) ? only : null))
        : null}
      {tied ? (
        <Suspense>
          <TieUsersDialog deviceId={tied.id} name={tied.name ?? ""} onClose={() => setTied(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

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
  const button = (key: string, run: (moves: Moves) => Promise<boolean>) => {
    const start = async () => {
      setMoving(true);
      if (await move(run)) clear();
      setMoving(false);
    };
    return (
      <BulkButton key={key} disabled={isBusy || isMoving} onClick={() => void start()}>
        {t(`menu.${key}`)}
      </BulkButton>
    );
  };
  const toTrash = button("toTrash", (moves) => moves.moveToTrash(ids, true));
  switch (place) {
    case "present":
      return [button("archive", (moves) => moves.moveToArchive(ids, true)), toTrash];
    case "archive":
      return [button("unarchive", (moves) => moves.moveToArchive(ids, false)), toTrash];
    case "trash":
      return button("restore", (moves) => moves.moveToTrash(ids, false));
  }
}
