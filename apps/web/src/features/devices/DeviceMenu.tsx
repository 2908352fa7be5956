import type { DeviceModel } from "@metrum/contract/metering";
import { useTranslation } from "react-i18next";
import { onDemand } from "#lib/load";
import { LazyMenuButton } from "#ui/list";
import type { DeviceRow } from "./devices.ts";

/** Dialogs of one device. */
export type DeviceDialogKind =
  | "control"
  | "edit"
  | "replace"
  | "tieUsers"
  | "attributes"
  | "schedule"
  | "log";

export interface DeviceMenuContext {
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
  /** Existing models; undefined until loaded. */
  readonly known: readonly DeviceModel[] | undefined;
  readonly onDialog: (kind: DeviceDialogKind, row: DeviceRow) => void;
}

export interface DeviceMenuProps {
  readonly row: DeviceRow;
  readonly context: DeviceMenuContext;
}

const rowMenu = onDemand(() => import("./RowMenu.tsx"));

/** Opens the actions on a device, which are loaded then. */
export function DeviceMenu(props: DeviceMenuProps) {
  const { t } = useTranslation("devices");
  return (
    // Keys of the menu must not reach the table around it.
    <span className="device-menu" onKeyDown={(event) => event.stopPropagation()}>
      <LazyMenuButton
        icon="more"
        size="small"
        label={t("menu.label", { name: props.row.name })}
        load={rowMenu}
      >
        {({ RowMenu }) => <RowMenu {...props} />}
      </LazyMenuButton>
    </span>
  );
}
