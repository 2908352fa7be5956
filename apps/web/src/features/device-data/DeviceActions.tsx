import { bridge } from "@metrum/contract/headend";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { BridgeDialog, canBeLent } from "#bridge";
import { ControlDialog, hasControls } from "#control";
import { useAllowed } from "#lib/session";
import {
  ArchiveDialog,
  canRequest,
  JournalDialog,
  loadRequests,
  ProfileDialog,
  type RequestKind,
  type SimpleRequest,
} from "#requests";
import { Button, IconButton } from "#ui/button";
import type { IconName } from "#ui/icon";
import { Menu, type MenuEntry } from "#ui/menu";
import type { Device } from "./DeviceHeader.tsx";
import { useActionsPlace, type ActionsPlace } from "./useActionsPlace.ts";

interface Props {
  readonly device: Device;
  /** A request of the device is about to be made. */
  readonly onRequest: () => void;
}

interface DialogProps {
  readonly device: Device;
  readonly onClose: () => void;
}

const Control = ({ device, onClose }: DialogProps) => (
  <ControlDialog device_id={device.id} model_id={device.model_id} onClose={onClose} />
);

const dialogs = {
  archive: ArchiveDialog,
  archive_profile: ProfileDialog,
  event_log: JournalDialog,
  bridge: BridgeDialog,
  control: Control,
} as const;
type DialogName = keyof typeof dialogs;

interface Action {
  readonly id: SimpleRequest | DialogName;
  readonly title: string;
  readonly icon?: IconName;
  readonly hint?: string;
  /** Widths at which it is a button; otherwise an entry of the menu. */
  readonly button?: readonly ActionsPlace[];
  /** As an entry of the collapsed menu it needs more than as a button. */
  readonly needsUpdateInMenu?: true;
}

/** Requests and other actions of the device. Unsupported or unauthorised ones are not shown. */
export function DeviceActions({ device, onRequest }: Props) {
  const { t } = useTranslation("deviceData");
  const place = useActionsPlace();
  const mayUpdate = useAllowed("4:update");
  const [opened, setOpened] = useState<DialogName | null>(null);
  const { busy, ask } = useAsking(device);
  const isAway = device.is_archived || device.is_deleted;
  const isButton = ({ button = [] }: Action) => button.includes(place);
  const actions = useActions(device).filter(
    (action) => isButton(action) || place === "wide" || action.needsUpdateInMenu !== true || mayUpdate,
  );
  const start = ({ id }: Action) => {
    if (id !== "bridge" && id !== "control") onRequest();
    if (isSimple(id)) void ask(id);
    else setOpened(id);
  };
  const menu = actions.filter((action) => !isButton(action));
  const Opened = opened === null ? null : dialogs[opened];
  return (
    <>
      {actions.filter(isButton).map((action) => (
        <Button
          key={action.id}
          {...(action.icon === undefined ? {} : { icon: action.icon })}
          isBusy={busy === action.id}
          disabled={busy !== null || isAway}
          {...(isAway ? { title: t("actions.putAway") } : {})}
          onClick={() => start(action)}
        >
          {action.title}
        </Button>
      ))}
      {menu.length === 0 ? null : (
        <Menu
          label={t("actions.more")}
          trigger={(props) => (
            <IconButton {...props} icon="more" kind="secondary" label={t("actions.more")} />
          )}
          items={menu.map((action) =>
            entryOf(action, () => start(action), isAway ? t("actions.putAway") : null),
          )}
        />
      )}
      {Opened === null ? null : (
        <Suspense fallback={null}>
          <Opened device={device} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}

const isSimple = (id: Action["id"]): id is SimpleRequest => !Object.hasOwn(dialogs, id);

function entryOf({ id, title, icon, hint }: Action, onSelect: () => void, away: string | null): MenuEntry {
  const why = away ?? hint;
  return {
    id,
    title,
    onSelect,
    ...(icon === undefined ? {} : { icon }),
    ...(why === undefined ? {} : { hint: why }),
    ...(away === null ? {} : { isDisabled: true }),
  };
}

/** Groups of devices whose counters can be requested alone. */
const meteredGroups: readonly number[] = [1, 2, 3, 4];

/** The actions that the model of the device has and the user may take. */
function useActions(device: Device): readonly Action[] {
  const { t } = useTranslation("deviceData");
  const mayRead = useAllowed("4:read");
  const mayControl = useAllowed("4:update");
  const mayLend = useAllowed(bridge.switch.right ?? null);
  const requests: readonly (Action & { readonly id: RequestKind })[] = [
    {
      id: "now_value",
      title: t("actions.currentValues"),
      icon: "refresh",
      button: ["wide", "phone"],
      needsUpdateInMenu: true,
    },
    { id: "archive", title: t("actions.archive"), icon: "download", button: ["wide", "phone"] },
    {
      id: "archive_profile",
      title: t("actions.profile"),
      icon: "chart",
      button: ["wide"],
      needsUpdateInMenu: true,
    },
    { id: "event_log", title: t("actions.journal"), icon: "events" },
    ...(meteredGroups.includes(device.device_group_id)
      ? [{ id: "tariff", title: t("actions.tariff"), icon: "table" } as const]
      : []),
    { id: "read_info", title: t("actions.info"), icon: "info" },
  ];
  const control: Action = {
    id: "control",
    title: t("actions.control"),
    icon: "send",
    button: ["wide", "phone"],
  };
  const lending: Action = {
    id: "bridge",
    title: t("actions.bridge"),
    hint: t("actions.bridgeHint"),
    icon: "link",
  };
  return [
    ...(mayRead ? requests.filter(({ id }) => canRequest(device, id)) : []),
    ...(mayControl && hasControls(device) ? [control] : []),
    ...(mayLend && canBeLent(device) ? [lending] : []),
  ];
}

/** Sends requests without input, one at a time, and shows their answer. */
function useAsking(device: Device) {
  const [busy, setBusy] = useState<SimpleRequest | null>(null);
  const ask = async (name: SimpleRequest) => {
    if (busy !== null) return;
    setBusy(name);
    try {
      await (await loadRequests()).askSimply(device.id, name);
    } finally {
      setBusy(null);
    }
  };
  return { busy, ask };
}
