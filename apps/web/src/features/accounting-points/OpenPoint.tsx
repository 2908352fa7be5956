import type { AccountingPoint } from "@metrum/contract/accounting";
import { lazily } from "#lib/load";
import type { PointDialogKind } from "./PointMenu.tsx";

const PointForm = lazily(async () => ({ default: (await import("./form/PointForm.tsx")).PointForm }));
const TieDeviceDialog = lazily(async () => ({
  default: (await import("./ties/TieDeviceDialog.tsx")).TieDeviceDialog,
}));
const UntieDeviceDialog = lazily(async () => ({
  default: (await import("./ties/UntieDeviceDialog.tsx")).UntieDeviceDialog,
}));
const TieObjectDialog = lazily(async () => ({
  default: (await import("./ties/TieObjectDialog.tsx")).TieObjectDialog,
}));

export type OpenedPoint =
  | { readonly kind: "new"; readonly parent: { readonly _id: string; readonly name: string } | null }
  | { readonly kind: PointDialogKind; readonly point: AccountingPoint };

/** The dialog of a point that the user has opened; each is loaded then. */
export function OpenPoint({ open, onClose }: { readonly open: OpenedPoint; readonly onClose: () => void }) {
  switch (open.kind) {
    case "new":
      return <PointForm point={null} parent={open.parent} onClose={onClose} />;
    case "edit":
      return <PointForm point={open.point} parent={null} onClose={onClose} />;
    case "tieDevice":
      return <TieDeviceDialog point={open.point} onClose={onClose} />;
    case "untieDevice":
      return <UntieDeviceDialog point={open.point} onClose={onClose} />;
    case "tieObject":
      return <TieObjectDialog point={open.point} onClose={onClose} />;
  }
}
