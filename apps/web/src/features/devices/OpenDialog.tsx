import { placeOfRow } from "#carriers";
import { ControlDialog } from "#control";
import { lazily } from "#lib/load";
import type { DeviceDialogKind } from "./DeviceMenu.tsx";
import { type DeviceRow } from "./devices.ts";

const DeviceDialog = lazily(async () => ({
  default: (await import("./form/DeviceDialog.tsx")).DeviceDialog,
}));
const AttributesDialog = lazily(async () => ({
  default: (await import("./AttributesDialog.tsx")).AttributesDialog,
}));
const StoredSchedule = lazily(async () => ({
  default: (await import("./StoredSchedule.tsx")).StoredSchedule,
}));
const DeviceLogDialog = lazily(async () => ({
  default: (await import("./DeviceLogDialog.tsx")).DeviceLogDialog,
}));
const ReplaceDialog = lazily(async () => ({ default: (await import("./ReplaceDialog.tsx")).ReplaceDialog }));
const TieUsersDialog = lazily(async () => ({
  default: (await import("./TieUsersDialog.tsx")).TieUsersDialog,
}));
const nothing = () => undefined;

export type Open = { readonly kind: "new" } | { readonly kind: DeviceDialogKind; readonly row: DeviceRow };

/** The dialog of a device that the user has opened; each is loaded then. */
export function OpenDialog(props: {
  readonly open: Open;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}) {
  const { open, mayChange, onClose } = props;
  switch (open.kind) {
    case "new":
      return <DeviceDialog id={null} onClose={onClose} />;
    case "control":
      return <ControlDialog device_id={open.row.id} model_id={open.row.model_id} onClose={onClose} />;
    case "replace":
      return <Replace row={open.row} onClose={onClose} />;
    case "tieUsers":
      return <TieUsersDialog deviceId={open.row.id} name={open.row.name ?? ""} onClose={onClose} />;
    case "edit":
      return <DeviceDialog id={open.row.id} onClose={onClose} />;
    case "attributes":
      return <AttributesDialog device={open.row} mayChange={mayChange} onClose={onClose} />;
    case "schedule":
      return (
        <StoredSchedule
          device={open.row}
          mayChange={mayChange && placeOfRow(open.row) === "present"}
          onClose={onClose}
        />
      );
    case "log":
      return <DeviceLogDialog device={open.row} onClose={onClose} />;
  }
}

function Replace({ row, onClose }: { readonly row: DeviceRow; readonly onClose: () => void }) {
  const { id, name = "", inside_addr = "", gateway } = row;
  return (
    <ReplaceDialog
      devices={[{ id, name, inside_addr }]}
      gatewayId={gateway?.id ?? 0}
      onMoved={nothing}
      onClose={onClose}
    />
  );
}
